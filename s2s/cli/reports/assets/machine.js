"use strict";
function machineViews() { return []; }
