// Mappings of which MAESTRO (2022) has printed the cycles; tables.toml has those beside each.
Network worked {
  Layer GEMM_32x48x64 {
    Type: GEMM
    Dimensions { M: 32, N: 48, K: 64 }
    Dataflow {
      SpatialMap(1,1) M;
      TemporalMap(4,4) N;
      TemporalMap(8,8) K;
      Cluster(4, P);
      SpatialMap(1,1) N;
      TemporalMap(8,8) K;
    }
  }
  Layer GNMT_dividing {
    Type: GEMM
    Dimensions { M: 128, N: 2048, K: 4096 }
    Dataflow {
      TemporalMap(16,16) M;
      TemporalMap(128,128) N;
      SpatialMap(32,32) K;
      Cluster(16, P);
      TemporalMap(16,16) M;
      SpatialMap(8,8) N;
      TemporalMap(4,4) K;
    }
  }
  Layer GNMT_uneven {
    Type: GEMM
    Dimensions { M: 128, N: 2048, K: 4096 }
    Dataflow {
      SpatialMap(8,8) M;
      TemporalMap(84,84) N;
      TemporalMap(256,256) K;
      Cluster(21, P);
      TemporalMap(8,8) M;
      SpatialMap(4,4) N;
      TemporalMap(16,16) K;
    }
  }
  Layer GNMT_large {
    Type: GEMM
    Dimensions { M: 128, N: 2048, K: 4096 }
    Dataflow {
      SpatialMap(4,4) M;
      TemporalMap(128,128) N;
      TemporalMap(128,128) K;
      Cluster(32, P);
      TemporalMap(4,4) M;
      SpatialMap(4,4) N;
      TemporalMap(16,16) K;
    }
  }
}
