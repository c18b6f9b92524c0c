/* What the library of another word size lacks: nothing that a parser asks for. */
