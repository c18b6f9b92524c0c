/* Intrinsics of x86 with vectors in one width, or that change the width. */
S2S_INTRINSIC __m128
  _mm_cvtpd_ps S2S_ANY, _mm256_cvtpd_ps S2S_ANY, _mm256_extractf128_ps S2S_ANY,
  _mm256_castps256_ps128 S2S_ANY, _mm_i64gather_ps S2S_ANY, _mm_mask_i64gather_ps S2S_ANY,
  _mm256_i64gather_ps S2S_ANY, _mm256_mask_i64gather_ps S2S_ANY, _mm512_extractf32x4_ps S2S_ANY,
  _mm512_mask_extractf32x4_ps S2S_ANY, _mm512_maskz_extractf32x4_ps S2S_ANY, _mm512_castps512_ps128
  S2S_ANY, _mm_mask_cvtpd_ps S2S_ANY, _mm_maskz_cvtpd_ps S2S_ANY, _mm256_mask_cvtpd_ps S2S_ANY,
  _mm256_maskz_cvtpd_ps S2S_ANY, _mm256_extractf32x4_ps S2S_ANY, _mm256_mask_extractf32x4_ps
  S2S_ANY, _mm256_maskz_extractf32x4_ps S2S_ANY, _mm256_mmask_i64gather_ps S2S_ANY,
  _mm_mmask_i64gather_ps S2S_ANY, _mm256_cvtepi64_ps S2S_ANY, _mm256_mask_cvtepi64_ps S2S_ANY,
  _mm256_maskz_cvtepi64_ps S2S_ANY, _mm_cvtepi64_ps S2S_ANY, _mm_mask_cvtepi64_ps S2S_ANY,
  _mm_maskz_cvtepi64_ps S2S_ANY, _mm256_cvtepu64_ps S2S_ANY, _mm256_mask_cvtepu64_ps S2S_ANY,
  _mm256_maskz_cvtepu64_ps S2S_ANY, _mm_cvtepu64_ps S2S_ANY, _mm_mask_cvtepu64_ps S2S_ANY,
  _mm_maskz_cvtepu64_ps S2S_ANY;
S2S_INTRINSIC __m128bh
  _mm256_cvtneps_pbh S2S_ANY, _mm256_mask_cvtneps_pbh S2S_ANY, _mm256_maskz_cvtneps_pbh S2S_ANY,
  _mm_cvtneps_pbh S2S_ANY, _mm_mask_cvtneps_pbh S2S_ANY, _mm_maskz_cvtneps_pbh S2S_ANY;
S2S_INTRINSIC __m128d
  _mm256_extractf128_pd S2S_ANY, _mm256_castpd256_pd128 S2S_ANY, _mm512_castpd512_pd128 S2S_ANY,
  _mm512_extractf64x2_pd S2S_ANY, _mm512_mask_extractf64x2_pd S2S_ANY, _mm512_maskz_extractf64x2_pd
  S2S_ANY, _mm256_extractf64x2_pd S2S_ANY, _mm256_mask_extractf64x2_pd S2S_ANY,
  _mm256_maskz_extractf64x2_pd S2S_ANY;
S2S_INTRINSIC __m128h
  _mm512_castph512_ph128 S2S_ANY, _mm512_cvtepi64_ph S2S_ANY, _mm512_mask_cvtepi64_ph S2S_ANY,
  _mm512_maskz_cvtepi64_ph S2S_ANY, _mm512_cvt_roundepi64_ph S2S_ANY, _mm512_mask_cvt_roundepi64_ph
  S2S_ANY, _mm512_maskz_cvt_roundepi64_ph S2S_ANY, _mm512_cvtepu64_ph S2S_ANY,
  _mm512_mask_cvtepu64_ph S2S_ANY, _mm512_maskz_cvtepu64_ph S2S_ANY, _mm512_cvt_roundepu64_ph
  S2S_ANY, _mm512_mask_cvt_roundepu64_ph S2S_ANY, _mm512_maskz_cvt_roundepu64_ph S2S_ANY,
  _mm512_cvtpd_ph S2S_ANY, _mm512_mask_cvtpd_ph S2S_ANY, _mm512_maskz_cvtpd_ph S2S_ANY,
  _mm512_cvt_roundpd_ph S2S_ANY, _mm512_mask_cvt_roundpd_ph S2S_ANY, _mm512_maskz_cvt_roundpd_ph
  S2S_ANY, _mm256_castph256_ph128 S2S_ANY, _mm_cvtepi32_ph S2S_ANY, _mm_mask_cvtepi32_ph S2S_ANY,
  _mm_maskz_cvtepi32_ph S2S_ANY, _mm256_cvtepi32_ph S2S_ANY, _mm256_mask_cvtepi32_ph S2S_ANY,
  _mm256_maskz_cvtepi32_ph S2S_ANY, _mm_cvtepu32_ph S2S_ANY, _mm_mask_cvtepu32_ph S2S_ANY,
  _mm_maskz_cvtepu32_ph S2S_ANY, _mm256_cvtepu32_ph S2S_ANY, _mm256_mask_cvtepu32_ph S2S_ANY,
  _mm256_maskz_cvtepu32_ph S2S_ANY, _mm_cvtepi64_ph S2S_ANY, _mm_mask_cvtepi64_ph S2S_ANY,
  _mm_maskz_cvtepi64_ph S2S_ANY, _mm256_cvtepi64_ph S2S_ANY, _mm256_mask_cvtepi64_ph S2S_ANY,
  _mm256_maskz_cvtepi64_ph S2S_ANY, _mm_cvtepu64_ph S2S_ANY, _mm_mask_cvtepu64_ph S2S_ANY,
  _mm_maskz_cvtepu64_ph S2S_ANY, _mm256_cvtepu64_ph S2S_ANY, _mm256_mask_cvtepu64_ph S2S_ANY,
  _mm256_maskz_cvtepu64_ph S2S_ANY, _mm_cvtxps_ph S2S_ANY, _mm_mask_cvtxps_ph S2S_ANY,
  _mm_maskz_cvtxps_ph S2S_ANY, _mm256_cvtxps_ph S2S_ANY, _mm256_mask_cvtxps_ph S2S_ANY,
  _mm256_maskz_cvtxps_ph S2S_ANY, _mm_cvtpd_ph S2S_ANY, _mm_mask_cvtpd_ph S2S_ANY,
  _mm_maskz_cvtpd_ph S2S_ANY, _mm256_cvtpd_ph S2S_ANY, _mm256_mask_cvtpd_ph S2S_ANY,
  _mm256_maskz_cvtpd_ph S2S_ANY;
S2S_INTRINSIC __m128i
  _mm_cvtpd_epi32 S2S_ANY, _mm_cvttpd_epi32 S2S_ANY, _mm256_cvttpd_epi32 S2S_ANY, _mm256_cvtpd_epi32
  S2S_ANY, _mm256_extractf128_si256 S2S_ANY, _mm256_castsi256_si128 S2S_ANY,
  _mm256_extracti128_si256 S2S_ANY, _mm_i64gather_epi32 S2S_ANY, _mm_mask_i64gather_epi32 S2S_ANY,
  _mm256_i64gather_epi32 S2S_ANY, _mm256_mask_i64gather_epi32 S2S_ANY, _mm512_cvtepi32_epi8 S2S_ANY,
  _mm512_mask_cvtepi32_epi8 S2S_ANY, _mm512_maskz_cvtepi32_epi8 S2S_ANY, _mm512_cvtsepi32_epi8
  S2S_ANY, _mm512_mask_cvtsepi32_epi8 S2S_ANY, _mm512_maskz_cvtsepi32_epi8 S2S_ANY,
  _mm512_cvtusepi32_epi8 S2S_ANY, _mm512_mask_cvtusepi32_epi8 S2S_ANY, _mm512_maskz_cvtusepi32_epi8
  S2S_ANY, _mm512_cvtepi64_epi16 S2S_ANY, _mm512_mask_cvtepi64_epi16 S2S_ANY,
  _mm512_maskz_cvtepi64_epi16 S2S_ANY, _mm512_cvtsepi64_epi16 S2S_ANY, _mm512_mask_cvtsepi64_epi16
  S2S_ANY, _mm512_maskz_cvtsepi64_epi16 S2S_ANY, _mm512_cvtusepi64_epi16 S2S_ANY,
  _mm512_mask_cvtusepi64_epi16 S2S_ANY, _mm512_maskz_cvtusepi64_epi16 S2S_ANY, _mm512_cvtepi64_epi8
  S2S_ANY, _mm512_mask_cvtepi64_epi8 S2S_ANY, _mm512_maskz_cvtepi64_epi8 S2S_ANY,
  _mm512_cvtsepi64_epi8 S2S_ANY, _mm512_mask_cvtsepi64_epi8 S2S_ANY, _mm512_maskz_cvtsepi64_epi8
  S2S_ANY, _mm512_cvtusepi64_epi8 S2S_ANY, _mm512_mask_cvtusepi64_epi8 S2S_ANY,
  _mm512_maskz_cvtusepi64_epi8 S2S_ANY, _mm512_extracti32x4_epi32 S2S_ANY,
  _mm512_mask_extracti32x4_epi32 S2S_ANY, _mm512_maskz_extracti32x4_epi32 S2S_ANY,
  _mm512_castsi512_si128 S2S_ANY, _mm256_cvtpd_epu32 S2S_ANY, _mm256_mask_cvtpd_epu32 S2S_ANY,
  _mm256_maskz_cvtpd_epu32 S2S_ANY, _mm_cvtpd_epu32 S2S_ANY, _mm_mask_cvtpd_epu32 S2S_ANY,
  _mm_maskz_cvtpd_epu32 S2S_ANY, _mm256_mask_cvttpd_epi32 S2S_ANY, _mm256_maskz_cvttpd_epi32
  S2S_ANY, _mm_mask_cvttpd_epi32 S2S_ANY, _mm_maskz_cvttpd_epi32 S2S_ANY, _mm256_cvttpd_epu32
  S2S_ANY, _mm256_mask_cvttpd_epu32 S2S_ANY, _mm256_maskz_cvttpd_epu32 S2S_ANY, _mm_cvttpd_epu32
  S2S_ANY, _mm_mask_cvttpd_epu32 S2S_ANY, _mm_maskz_cvttpd_epu32 S2S_ANY, _mm256_mask_cvtpd_epi32
  S2S_ANY, _mm256_maskz_cvtpd_epi32 S2S_ANY, _mm_mask_cvtpd_epi32 S2S_ANY, _mm_maskz_cvtpd_epi32
  S2S_ANY, _mm_cvtepi32_epi8 S2S_ANY, _mm_mask_cvtepi32_epi8 S2S_ANY, _mm_maskz_cvtepi32_epi8
  S2S_ANY, _mm256_cvtepi32_epi8 S2S_ANY, _mm256_mask_cvtepi32_epi8 S2S_ANY,
  _mm256_maskz_cvtepi32_epi8 S2S_ANY, _mm_cvtsepi32_epi8 S2S_ANY, _mm_mask_cvtsepi32_epi8 S2S_ANY,
  _mm_maskz_cvtsepi32_epi8 S2S_ANY, _mm256_cvtsepi32_epi8 S2S_ANY, _mm256_mask_cvtsepi32_epi8
  S2S_ANY, _mm256_maskz_cvtsepi32_epi8 S2S_ANY, _mm_cvtusepi32_epi8 S2S_ANY,
  _mm_mask_cvtusepi32_epi8 S2S_ANY, _mm_maskz_cvtusepi32_epi8 S2S_ANY, _mm256_cvtusepi32_epi8
  S2S_ANY, _mm256_mask_cvtusepi32_epi8 S2S_ANY, _mm256_maskz_cvtusepi32_epi8 S2S_ANY,
  _mm_cvtepi32_epi16 S2S_ANY, _mm_mask_cvtepi32_epi16 S2S_ANY, _mm_maskz_cvtepi32_epi16 S2S_ANY,
  _mm256_cvtepi32_epi16 S2S_ANY, _mm256_mask_cvtepi32_epi16 S2S_ANY, _mm256_maskz_cvtepi32_epi16
  S2S_ANY, _mm_cvtsepi32_epi16 S2S_ANY, _mm_mask_cvtsepi32_epi16 S2S_ANY, _mm_maskz_cvtsepi32_epi16
  S2S_ANY, _mm256_cvtsepi32_epi16 S2S_ANY, _mm256_mask_cvtsepi32_epi16 S2S_ANY,
  _mm256_maskz_cvtsepi32_epi16 S2S_ANY, _mm_cvtusepi32_epi16 S2S_ANY, _mm_mask_cvtusepi32_epi16
  S2S_ANY, _mm_maskz_cvtusepi32_epi16 S2S_ANY, _mm256_cvtusepi32_epi16 S2S_ANY,
  _mm256_mask_cvtusepi32_epi16 S2S_ANY, _mm256_maskz_cvtusepi32_epi16 S2S_ANY, _mm_cvtepi64_epi8
  S2S_ANY, _mm_mask_cvtepi64_epi8 S2S_ANY, _mm_maskz_cvtepi64_epi8 S2S_ANY, _mm256_cvtepi64_epi8
  S2S_ANY, _mm256_mask_cvtepi64_epi8 S2S_ANY, _mm256_maskz_cvtepi64_epi8 S2S_ANY, _mm_cvtsepi64_epi8
  S2S_ANY, _mm_mask_cvtsepi64_epi8 S2S_ANY, _mm_maskz_cvtsepi64_epi8 S2S_ANY, _mm256_cvtsepi64_epi8
  S2S_ANY, _mm256_mask_cvtsepi64_epi8 S2S_ANY, _mm256_maskz_cvtsepi64_epi8 S2S_ANY,
  _mm_cvtusepi64_epi8 S2S_ANY, _mm_mask_cvtusepi64_epi8 S2S_ANY, _mm_maskz_cvtusepi64_epi8 S2S_ANY,
  _mm256_cvtusepi64_epi8 S2S_ANY, _mm256_mask_cvtusepi64_epi8 S2S_ANY, _mm256_maskz_cvtusepi64_epi8
  S2S_ANY, _mm_cvtepi64_epi16 S2S_ANY, _mm_mask_cvtepi64_epi16 S2S_ANY, _mm_maskz_cvtepi64_epi16
  S2S_ANY, _mm256_cvtepi64_epi16 S2S_ANY, _mm256_mask_cvtepi64_epi16 S2S_ANY,
  _mm256_maskz_cvtepi64_epi16 S2S_ANY, _mm_cvtsepi64_epi16 S2S_ANY, _mm_mask_cvtsepi64_epi16
  S2S_ANY, _mm_maskz_cvtsepi64_epi16 S2S_ANY, _mm256_cvtsepi64_epi16 S2S_ANY,
  _mm256_mask_cvtsepi64_epi16 S2S_ANY, _mm256_maskz_cvtsepi64_epi16 S2S_ANY, _mm_cvtusepi64_epi16
  S2S_ANY, _mm_mask_cvtusepi64_epi16 S2S_ANY, _mm_maskz_cvtusepi64_epi16 S2S_ANY,
  _mm256_cvtusepi64_epi16 S2S_ANY, _mm256_mask_cvtusepi64_epi16 S2S_ANY,
  _mm256_maskz_cvtusepi64_epi16 S2S_ANY, _mm_cvtepi64_epi32 S2S_ANY, _mm_mask_cvtepi64_epi32
  S2S_ANY, _mm_maskz_cvtepi64_epi32 S2S_ANY, _mm256_cvtepi64_epi32 S2S_ANY,
  _mm256_mask_cvtepi64_epi32 S2S_ANY, _mm256_maskz_cvtepi64_epi32 S2S_ANY, _mm_cvtsepi64_epi32
  S2S_ANY, _mm_mask_cvtsepi64_epi32 S2S_ANY, _mm_maskz_cvtsepi64_epi32 S2S_ANY,
  _mm256_cvtsepi64_epi32 S2S_ANY, _mm256_mask_cvtsepi64_epi32 S2S_ANY, _mm256_maskz_cvtsepi64_epi32
  S2S_ANY, _mm_cvtusepi64_epi32 S2S_ANY, _mm_mask_cvtusepi64_epi32 S2S_ANY,
  _mm_maskz_cvtusepi64_epi32 S2S_ANY, _mm256_cvtusepi64_epi32 S2S_ANY, _mm256_mask_cvtusepi64_epi32
  S2S_ANY, _mm256_maskz_cvtusepi64_epi32 S2S_ANY, _mm256_extracti32x4_epi32 S2S_ANY,
  _mm256_mask_extracti32x4_epi32 S2S_ANY, _mm256_maskz_extracti32x4_epi32 S2S_ANY,
  _mm256_mmask_i64gather_epi32 S2S_ANY, _mm_mmask_i64gather_epi32 S2S_ANY, _mm_mask_cvtps_ph
  S2S_ANY, _mm_maskz_cvtps_ph S2S_ANY, _mm256_mask_cvtps_ph S2S_ANY, _mm256_maskz_cvtps_ph S2S_ANY,
  _mm512_extracti64x2_epi64 S2S_ANY, _mm512_mask_extracti64x2_epi64 S2S_ANY,
  _mm512_maskz_extracti64x2_epi64 S2S_ANY, _mm256_cvtepi16_epi8 S2S_ANY, _mm256_mask_cvtepi16_epi8
  S2S_ANY, _mm256_maskz_cvtepi16_epi8 S2S_ANY, _mm_cvtsepi16_epi8 S2S_ANY, _mm_mask_cvtsepi16_epi8
  S2S_ANY, _mm_maskz_cvtsepi16_epi8 S2S_ANY, _mm256_cvtsepi16_epi8 S2S_ANY,
  _mm256_mask_cvtsepi16_epi8 S2S_ANY, _mm256_maskz_cvtsepi16_epi8 S2S_ANY, _mm_cvtusepi16_epi8
  S2S_ANY, _mm_mask_cvtusepi16_epi8 S2S_ANY, _mm_maskz_cvtusepi16_epi8 S2S_ANY,
  _mm256_cvtusepi16_epi8 S2S_ANY, _mm256_mask_cvtusepi16_epi8 S2S_ANY, _mm256_maskz_cvtusepi16_epi8
  S2S_ANY, _mm_cvtepi16_epi8 S2S_ANY, _mm_mask_cvtepi16_epi8 S2S_ANY, _mm_maskz_cvtepi16_epi8
  S2S_ANY, _mm256_extracti64x2_epi64 S2S_ANY, _mm256_mask_extracti64x2_epi64 S2S_ANY,
  _mm256_maskz_extracti64x2_epi64 S2S_ANY, _mm_cvtps_ph S2S_ANY, _mm256_cvtps_ph S2S_ANY,
  _mm256_mask_cvt_roundps_ph S2S_ANY, _mm256_maskz_cvt_roundps_ph S2S_ANY, _mm_mask_cvt_roundps_ph
  S2S_ANY, _mm_maskz_cvt_roundps_ph S2S_ANY;
S2S_INTRINSIC __m256
  _mm512_cvt_roundpd_ps S2S_ANY, _mm512_mask_cvt_roundpd_ps S2S_ANY, _mm512_maskz_cvt_roundpd_ps
  S2S_ANY, _mm512_i64gather_ps S2S_ANY, _mm512_mask_i64gather_ps S2S_ANY, _mm512_cvtpd_ps S2S_ANY,
  _mm512_mask_cvtpd_ps S2S_ANY, _mm512_maskz_cvtpd_ps S2S_ANY, _mm512_castps512_ps256 S2S_ANY,
  _mm512_cvtepi64_ps S2S_ANY, _mm512_mask_cvtepi64_ps S2S_ANY, _mm512_maskz_cvtepi64_ps S2S_ANY,
  _mm512_cvtepu64_ps S2S_ANY, _mm512_mask_cvtepu64_ps S2S_ANY, _mm512_maskz_cvtepu64_ps S2S_ANY,
  _mm512_cvt_roundepi64_ps S2S_ANY, _mm512_mask_cvt_roundepi64_ps S2S_ANY,
  _mm512_maskz_cvt_roundepi64_ps S2S_ANY, _mm512_cvt_roundepu64_ps S2S_ANY,
  _mm512_mask_cvt_roundepu64_ps S2S_ANY, _mm512_maskz_cvt_roundepu64_ps S2S_ANY,
  _mm512_extractf32x8_ps S2S_ANY, _mm512_mask_extractf32x8_ps S2S_ANY, _mm512_maskz_extractf32x8_ps
  S2S_ANY;
S2S_INTRINSIC __m256bh
  _mm512_cvtneps_pbh S2S_ANY, _mm512_mask_cvtneps_pbh S2S_ANY, _mm512_maskz_cvtneps_pbh S2S_ANY;
S2S_INTRINSIC __m256d
  _mm512_extractf64x4_pd S2S_ANY, _mm512_mask_extractf64x4_pd S2S_ANY, _mm512_maskz_extractf64x4_pd
  S2S_ANY, _mm512_castpd512_pd256 S2S_ANY;
S2S_INTRINSIC __m256h
  _mm512_castph512_ph256 S2S_ANY, _mm512_cvtepi32_ph S2S_ANY, _mm512_mask_cvtepi32_ph S2S_ANY,
  _mm512_maskz_cvtepi32_ph S2S_ANY, _mm512_cvt_roundepi32_ph S2S_ANY, _mm512_mask_cvt_roundepi32_ph
  S2S_ANY, _mm512_maskz_cvt_roundepi32_ph S2S_ANY, _mm512_cvtepu32_ph S2S_ANY,
  _mm512_mask_cvtepu32_ph S2S_ANY, _mm512_maskz_cvtepu32_ph S2S_ANY, _mm512_cvt_roundepu32_ph
  S2S_ANY, _mm512_mask_cvt_roundepu32_ph S2S_ANY, _mm512_maskz_cvt_roundepu32_ph S2S_ANY,
  _mm512_cvtxps_ph S2S_ANY, _mm512_mask_cvtxps_ph S2S_ANY, _mm512_maskz_cvtxps_ph S2S_ANY,
  _mm512_cvtx_roundps_ph S2S_ANY, _mm512_mask_cvtx_roundps_ph S2S_ANY, _mm512_maskz_cvtx_roundps_ph
  S2S_ANY;
S2S_INTRINSIC __m256i
  _mm256_broadcastsi128_si256 S2S_ANY, _mm512_cvtt_roundpd_epi32 S2S_ANY,
  _mm512_mask_cvtt_roundpd_epi32 S2S_ANY, _mm512_maskz_cvtt_roundpd_epi32 S2S_ANY,
  _mm512_cvtt_roundpd_epu32 S2S_ANY, _mm512_mask_cvtt_roundpd_epu32 S2S_ANY,
  _mm512_maskz_cvtt_roundpd_epu32 S2S_ANY, _mm512_cvt_roundpd_epi32 S2S_ANY,
  _mm512_mask_cvt_roundpd_epi32 S2S_ANY, _mm512_maskz_cvt_roundpd_epi32 S2S_ANY,
  _mm512_cvt_roundpd_epu32 S2S_ANY, _mm512_mask_cvt_roundpd_epu32 S2S_ANY,
  _mm512_maskz_cvt_roundpd_epu32 S2S_ANY, _mm512_cvtepi32_epi16 S2S_ANY, _mm512_mask_cvtepi32_epi16
  S2S_ANY, _mm512_maskz_cvtepi32_epi16 S2S_ANY, _mm512_cvtsepi32_epi16 S2S_ANY,
  _mm512_mask_cvtsepi32_epi16 S2S_ANY, _mm512_maskz_cvtsepi32_epi16 S2S_ANY, _mm512_cvtusepi32_epi16
  S2S_ANY, _mm512_mask_cvtusepi32_epi16 S2S_ANY, _mm512_maskz_cvtusepi32_epi16 S2S_ANY,
  _mm512_cvtepi64_epi32 S2S_ANY, _mm512_mask_cvtepi64_epi32 S2S_ANY, _mm512_maskz_cvtepi64_epi32
  S2S_ANY, _mm512_cvtsepi64_epi32 S2S_ANY, _mm512_mask_cvtsepi64_epi32 S2S_ANY,
  _mm512_maskz_cvtsepi64_epi32 S2S_ANY, _mm512_cvtusepi64_epi32 S2S_ANY,
  _mm512_mask_cvtusepi64_epi32 S2S_ANY, _mm512_maskz_cvtusepi64_epi32 S2S_ANY,
  _mm512_extracti64x4_epi64 S2S_ANY, _mm512_mask_extracti64x4_epi64 S2S_ANY,
  _mm512_maskz_extracti64x4_epi64 S2S_ANY, _mm512_cvt_roundps_ph S2S_ANY, _mm512_cvtps_ph S2S_ANY,
  _mm512_mask_cvt_roundps_ph S2S_ANY, _mm512_mask_cvtps_ph S2S_ANY, _mm512_maskz_cvt_roundps_ph
  S2S_ANY, _mm512_maskz_cvtps_ph S2S_ANY, _mm512_i64gather_epi32 S2S_ANY,
  _mm512_mask_i64gather_epi32 S2S_ANY, _mm512_cvttpd_epi32 S2S_ANY, _mm512_mask_cvttpd_epi32
  S2S_ANY, _mm512_maskz_cvttpd_epi32 S2S_ANY, _mm512_cvttpd_epu32 S2S_ANY, _mm512_mask_cvttpd_epu32
  S2S_ANY, _mm512_maskz_cvttpd_epu32 S2S_ANY, _mm512_cvtpd_epi32 S2S_ANY, _mm512_mask_cvtpd_epi32
  S2S_ANY, _mm512_maskz_cvtpd_epi32 S2S_ANY, _mm512_cvtpd_epu32 S2S_ANY, _mm512_mask_cvtpd_epu32
  S2S_ANY, _mm512_maskz_cvtpd_epu32 S2S_ANY, _mm512_castsi512_si256 S2S_ANY, _mm512_cvtepi16_epi8
  S2S_ANY, _mm512_mask_cvtepi16_epi8 S2S_ANY, _mm512_maskz_cvtepi16_epi8 S2S_ANY,
  _mm512_cvtsepi16_epi8 S2S_ANY, _mm512_mask_cvtsepi16_epi8 S2S_ANY, _mm512_maskz_cvtsepi16_epi8
  S2S_ANY, _mm512_cvtusepi16_epi8 S2S_ANY, _mm512_mask_cvtusepi16_epi8 S2S_ANY,
  _mm512_maskz_cvtusepi16_epi8 S2S_ANY, _mm512_extracti32x8_epi32 S2S_ANY,
  _mm512_mask_extracti32x8_epi32 S2S_ANY, _mm512_maskz_extracti32x8_epi32 S2S_ANY,
  _mm_broadcastsi128_si256 S2S_ANY;
S2S_INTRINSIC __m64
  _mm_cvtsi32_si64 S2S_ANY, _m_from_int S2S_ANY, _m_from_int64 S2S_ANY, _mm_cvtsi64_m64 S2S_ANY,
  _mm_cvtsi64x_si64 S2S_ANY, _mm_set_pi64x S2S_ANY, _mm_packs_pi16 S2S_ANY, _m_packsswb S2S_ANY,
  _mm_packs_pi32 S2S_ANY, _m_packssdw S2S_ANY, _mm_packs_pu16 S2S_ANY, _m_packuswb S2S_ANY,
  _mm_unpackhi_pi8 S2S_ANY, _m_punpckhbw S2S_ANY, _mm_unpackhi_pi16 S2S_ANY, _m_punpckhwd S2S_ANY,
  _mm_unpackhi_pi32 S2S_ANY, _m_punpckhdq S2S_ANY, _mm_unpacklo_pi8 S2S_ANY, _m_punpcklbw S2S_ANY,
  _mm_unpacklo_pi16 S2S_ANY, _m_punpcklwd S2S_ANY, _mm_unpacklo_pi32 S2S_ANY, _m_punpckldq S2S_ANY,
  _mm_add_pi8 S2S_ANY, _m_paddb S2S_ANY, _mm_add_pi16 S2S_ANY, _m_paddw S2S_ANY, _mm_add_pi32
  S2S_ANY, _m_paddd S2S_ANY, _mm_add_si64 S2S_ANY, _mm_adds_pi8 S2S_ANY, _m_paddsb S2S_ANY,
  _mm_adds_pi16 S2S_ANY, _m_paddsw S2S_ANY, _mm_adds_pu8 S2S_ANY, _m_paddusb S2S_ANY, _mm_adds_pu16
  S2S_ANY, _m_paddusw S2S_ANY, _mm_sub_pi8 S2S_ANY, _m_psubb S2S_ANY, _mm_sub_pi16 S2S_ANY, _m_psubw
  S2S_ANY, _mm_sub_pi32 S2S_ANY, _m_psubd S2S_ANY, _mm_sub_si64 S2S_ANY, _mm_subs_pi8 S2S_ANY,
  _m_psubsb S2S_ANY, _mm_subs_pi16 S2S_ANY, _m_psubsw S2S_ANY, _mm_subs_pu8 S2S_ANY, _m_psubusb
  S2S_ANY, _mm_subs_pu16 S2S_ANY, _m_psubusw S2S_ANY, _mm_madd_pi16 S2S_ANY, _m_pmaddwd S2S_ANY,
  _mm_mulhi_pi16 S2S_ANY, _m_pmulhw S2S_ANY, _mm_mullo_pi16 S2S_ANY, _m_pmullw S2S_ANY, _mm_sll_pi16
  S2S_ANY, _m_psllw S2S_ANY, _mm_slli_pi16 S2S_ANY, _m_psllwi S2S_ANY, _mm_sll_pi32 S2S_ANY,
  _m_pslld S2S_ANY, _mm_slli_pi32 S2S_ANY, _m_pslldi S2S_ANY, _mm_sll_si64 S2S_ANY, _m_psllq
  S2S_ANY, _mm_slli_si64 S2S_ANY, _m_psllqi S2S_ANY, _mm_sra_pi16 S2S_ANY, _m_psraw S2S_ANY,
  _mm_srai_pi16 S2S_ANY, _m_psrawi S2S_ANY, _mm_sra_pi32 S2S_ANY, _m_psrad S2S_ANY, _mm_srai_pi32
  S2S_ANY, _m_psradi S2S_ANY, _mm_srl_pi16 S2S_ANY, _m_psrlw S2S_ANY, _mm_srli_pi16 S2S_ANY,
  _m_psrlwi S2S_ANY, _mm_srl_pi32 S2S_ANY, _m_psrld S2S_ANY, _mm_srli_pi32 S2S_ANY, _m_psrldi
  S2S_ANY, _mm_srl_si64 S2S_ANY, _m_psrlq S2S_ANY, _mm_srli_si64 S2S_ANY, _m_psrlqi S2S_ANY,
  _mm_and_si64 S2S_ANY, _m_pand S2S_ANY, _mm_andnot_si64 S2S_ANY, _m_pandn S2S_ANY, _mm_or_si64
  S2S_ANY, _m_por S2S_ANY, _mm_xor_si64 S2S_ANY, _m_pxor S2S_ANY, _mm_cmpeq_pi8 S2S_ANY, _m_pcmpeqb
  S2S_ANY, _mm_cmpgt_pi8 S2S_ANY, _m_pcmpgtb S2S_ANY, _mm_cmpeq_pi16 S2S_ANY, _m_pcmpeqw S2S_ANY,
  _mm_cmpgt_pi16 S2S_ANY, _m_pcmpgtw S2S_ANY, _mm_cmpeq_pi32 S2S_ANY, _m_pcmpeqd S2S_ANY,
  _mm_cmpgt_pi32 S2S_ANY, _m_pcmpgtd S2S_ANY, _mm_setzero_si64 S2S_ANY, _mm_set_pi32 S2S_ANY,
  _mm_set_pi16 S2S_ANY, _mm_set_pi8 S2S_ANY, _mm_setr_pi32 S2S_ANY, _mm_setr_pi16 S2S_ANY,
  _mm_setr_pi8 S2S_ANY, _mm_set1_pi32 S2S_ANY, _mm_set1_pi16 S2S_ANY, _mm_set1_pi8 S2S_ANY,
  _mm_cvtps_pi32 S2S_ANY, _mm_cvt_ps2pi S2S_ANY, _mm_cvttps_pi32 S2S_ANY, _mm_cvtt_ps2pi S2S_ANY,
  _mm_cvtps_pi16 S2S_ANY, _mm_cvtps_pi8 S2S_ANY, _mm_insert_pi16 S2S_ANY, _m_pinsrw S2S_ANY,
  _mm_max_pi16 S2S_ANY, _m_pmaxsw S2S_ANY, _mm_max_pu8 S2S_ANY, _m_pmaxub S2S_ANY, _mm_min_pi16
  S2S_ANY, _m_pminsw S2S_ANY, _mm_min_pu8 S2S_ANY, _m_pminub S2S_ANY, _mm_mulhi_pu16 S2S_ANY,
  _m_pmulhuw S2S_ANY, _mm_shuffle_pi16 S2S_ANY, _m_pshufw S2S_ANY, _mm_avg_pu8 S2S_ANY, _m_pavgb
  S2S_ANY, _mm_avg_pu16 S2S_ANY, _m_pavgw S2S_ANY, _mm_sad_pu8 S2S_ANY, _m_psadbw S2S_ANY,
  _mm_movepi64_pi64 S2S_ANY, _mm_cvtpd_pi32 S2S_ANY, _mm_cvttpd_pi32 S2S_ANY, _mm_mul_su32 S2S_ANY,
  _mm_hadd_pi16 S2S_ANY, _mm_hadd_pi32 S2S_ANY, _mm_hadds_pi16 S2S_ANY, _mm_hsub_pi16 S2S_ANY,
  _mm_hsub_pi32 S2S_ANY, _mm_hsubs_pi16 S2S_ANY, _mm_maddubs_pi16 S2S_ANY, _mm_mulhrs_pi16 S2S_ANY,
  _mm_shuffle_pi8 S2S_ANY, _mm_sign_pi8 S2S_ANY, _mm_sign_pi16 S2S_ANY, _mm_sign_pi32 S2S_ANY,
  _mm_alignr_pi8 S2S_ANY, _mm_abs_pi8 S2S_ANY, _mm_abs_pi16 S2S_ANY, _mm_abs_pi32 S2S_ANY,
  _m_pavgusb S2S_ANY, _m_pf2id S2S_ANY, _m_pfacc S2S_ANY, _m_pfadd S2S_ANY, _m_pfcmpeq S2S_ANY,
  _m_pfcmpge S2S_ANY, _m_pfcmpgt S2S_ANY, _m_pfmax S2S_ANY, _m_pfmin S2S_ANY, _m_pfmul S2S_ANY,
  _m_pfrcp S2S_ANY, _m_pfrcpit1 S2S_ANY, _m_pfrcpit2 S2S_ANY, _m_pfrsqrt S2S_ANY, _m_pfrsqit1
  S2S_ANY, _m_pfsub S2S_ANY, _m_pfsubr S2S_ANY, _m_pi2fd S2S_ANY, _m_pmulhrw S2S_ANY, _m_from_float
  S2S_ANY, _m_pf2iw S2S_ANY, _m_pfnacc S2S_ANY, _m_pfpnacc S2S_ANY, _m_pi2fw S2S_ANY, _m_pswapd
  S2S_ANY;
