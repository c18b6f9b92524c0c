/* Intrinsics of x86 with scalars, masks or nothing to give. */
S2S_INTRINSIC _Float16
  _mm_cvtsh_h S2S_ANY, _mm256_cvtsh_h S2S_ANY, _mm512_cvtsh_h S2S_ANY, _mm512_reduce_add_ph S2S_ANY,
  _mm512_reduce_mul_ph S2S_ANY, _mm512_reduce_min_ph S2S_ANY, _mm512_reduce_max_ph S2S_ANY,
  _mm256_reduce_add_ph S2S_ANY, _mm256_reduce_mul_ph S2S_ANY, _mm256_reduce_min_ph S2S_ANY,
  _mm256_reduce_max_ph S2S_ANY, _mm_reduce_add_ph S2S_ANY, _mm_reduce_mul_ph S2S_ANY,
  _mm_reduce_min_ph S2S_ANY, _mm_reduce_max_ph S2S_ANY;
S2S_INTRINSIC __bfloat16
  _mm_cvtness_sbh S2S_ANY;
S2S_INTRINSIC __mmask16
  _mm512_int2mask S2S_ANY, _kshiftli_mask16 S2S_ANY, _kshiftri_mask16 S2S_ANY,
  _mm512_cmp_round_ps_mask S2S_ANY, _mm512_mask_cmp_round_ps_mask S2S_ANY, _cvtu32_mask16 S2S_ANY,
  _load_mask16 S2S_ANY, _mm512_kand S2S_ANY, _mm512_kandn S2S_ANY, _mm512_kor S2S_ANY, _mm512_kxnor
  S2S_ANY, _mm512_kxor S2S_ANY, _mm512_knot S2S_ANY, _mm512_kunpackb S2S_ANY, _kunpackb_mask16
  S2S_ANY, _mm512_cmpeq_ps_mask S2S_ANY, _mm512_mask_cmpeq_ps_mask S2S_ANY, _mm512_cmplt_ps_mask
  S2S_ANY, _mm512_mask_cmplt_ps_mask S2S_ANY, _mm512_cmple_ps_mask S2S_ANY,
  _mm512_mask_cmple_ps_mask S2S_ANY, _mm512_cmpunord_ps_mask S2S_ANY, _mm512_mask_cmpunord_ps_mask
  S2S_ANY, _mm512_cmpneq_ps_mask S2S_ANY, _mm512_mask_cmpneq_ps_mask S2S_ANY, _mm512_cmpnlt_ps_mask
  S2S_ANY, _mm512_mask_cmpnlt_ps_mask S2S_ANY, _mm512_cmpnle_ps_mask S2S_ANY,
  _mm512_mask_cmpnle_ps_mask S2S_ANY, _mm512_cmpord_ps_mask S2S_ANY, _mm512_mask_cmpord_ps_mask
  S2S_ANY, _mm512_kmov S2S_ANY, _kadd_mask16 S2S_ANY;
S2S_INTRINSIC __mmask32
  _kadd_mask32 S2S_ANY, _cvtu32_mask32 S2S_ANY, _load_mask32 S2S_ANY, _knot_mask32 S2S_ANY,
  _kor_mask32 S2S_ANY, _kxnor_mask32 S2S_ANY, _kxor_mask32 S2S_ANY, _kand_mask32 S2S_ANY,
  _kandn_mask32 S2S_ANY, _mm512_kunpackw S2S_ANY, _kunpackw_mask32 S2S_ANY, _kshiftli_mask32
  S2S_ANY, _kshiftri_mask32 S2S_ANY, _mm512_mask_cmp_round_ph_mask S2S_ANY, _mm512_cmp_round_ph_mask
  S2S_ANY;
S2S_INTRINSIC __mmask64
  _kadd_mask64 S2S_ANY, _cvtu64_mask64 S2S_ANY, _load_mask64 S2S_ANY, _knot_mask64 S2S_ANY,
  _kor_mask64 S2S_ANY, _kxnor_mask64 S2S_ANY, _kxor_mask64 S2S_ANY, _kand_mask64 S2S_ANY,
  _kandn_mask64 S2S_ANY, _mm512_kunpackd S2S_ANY, _kunpackd_mask64 S2S_ANY, _kshiftli_mask64
  S2S_ANY, _kshiftri_mask64 S2S_ANY;
S2S_INTRINSIC __mmask8
  _mm512_cmp_round_pd_mask S2S_ANY, _mm512_mask_cmp_round_pd_mask S2S_ANY, _mm_cmp_round_sd_mask
  S2S_ANY, _mm_mask_cmp_round_sd_mask S2S_ANY, _mm_cmp_round_ss_mask S2S_ANY,
  _mm_mask_cmp_round_ss_mask S2S_ANY, _mm_cmp_sd_mask S2S_ANY, _mm_mask_cmp_sd_mask S2S_ANY,
  _mm_cmp_ss_mask S2S_ANY, _mm_mask_cmp_ss_mask S2S_ANY, _mm512_cmpeq_pd_mask S2S_ANY,
  _mm512_mask_cmpeq_pd_mask S2S_ANY, _mm512_cmplt_pd_mask S2S_ANY, _mm512_mask_cmplt_pd_mask
  S2S_ANY, _mm512_cmple_pd_mask S2S_ANY, _mm512_mask_cmple_pd_mask S2S_ANY, _mm512_cmpunord_pd_mask
  S2S_ANY, _mm512_mask_cmpunord_pd_mask S2S_ANY, _mm512_cmpneq_pd_mask S2S_ANY,
  _mm512_mask_cmpneq_pd_mask S2S_ANY, _mm512_cmpnlt_pd_mask S2S_ANY, _mm512_mask_cmpnlt_pd_mask
  S2S_ANY, _mm512_cmpnle_pd_mask S2S_ANY, _mm512_mask_cmpnle_pd_mask S2S_ANY, _mm512_cmpord_pd_mask
  S2S_ANY, _mm512_mask_cmpord_pd_mask S2S_ANY, _kadd_mask8 S2S_ANY, _cvtu32_mask8 S2S_ANY,
  _load_mask8 S2S_ANY, _knot_mask8 S2S_ANY, _kor_mask8 S2S_ANY, _kxnor_mask8 S2S_ANY, _kxor_mask8
  S2S_ANY, _kand_mask8 S2S_ANY, _kandn_mask8 S2S_ANY, _kshiftli_mask8 S2S_ANY, _kshiftri_mask8
  S2S_ANY, _mm_fpclass_ss_mask S2S_ANY, _mm_fpclass_sd_mask S2S_ANY, _mm_mask_fpclass_ss_mask
  S2S_ANY, _mm_mask_fpclass_sd_mask S2S_ANY, _mm_cmp_sh_mask S2S_ANY, _mm_mask_cmp_sh_mask S2S_ANY,
  _mm_cmp_round_sh_mask S2S_ANY, _mm_mask_cmp_round_sh_mask S2S_ANY, _mm_fpclass_sh_mask S2S_ANY,
  _mm_mask_fpclass_sh_mask S2S_ANY;
S2S_INTRINSIC double
  _mm_cvtsd_f64 S2S_ANY, _mm256_cvtsd_f64 S2S_ANY, _mm512_cvtsd_f64 S2S_ANY, _mm512_reduce_add_pd
  S2S_ANY, _mm512_reduce_mul_pd S2S_ANY, _mm512_mask_reduce_add_pd S2S_ANY,
  _mm512_mask_reduce_mul_pd S2S_ANY, _mm512_reduce_min_pd S2S_ANY, _mm512_reduce_max_pd S2S_ANY,
  _mm512_mask_reduce_min_pd S2S_ANY, _mm512_mask_reduce_max_pd S2S_ANY;
S2S_INTRINSIC float
  _mm_cvtss_f32 S2S_ANY, _mm256_cvtss_f32 S2S_ANY, _mm512_cvtss_f32 S2S_ANY, _mm512_reduce_add_ps
  S2S_ANY, _mm512_reduce_mul_ps S2S_ANY, _mm512_mask_reduce_add_ps S2S_ANY,
  _mm512_mask_reduce_mul_ps S2S_ANY, _mm512_reduce_min_ps S2S_ANY, _mm512_reduce_max_ps S2S_ANY,
  _mm512_mask_reduce_min_ps S2S_ANY, _mm512_mask_reduce_max_ps S2S_ANY, _cvtsh_ss S2S_ANY,
  _mm_cvtsbh_ss S2S_ANY, _m_to_float S2S_ANY;
S2S_INTRINSIC int
  __bsfd S2S_ANY, __bsrd S2S_ANY, __bswapd S2S_ANY, __popcntd S2S_ANY, __bsfq S2S_ANY, __bsrq
  S2S_ANY, _enqcmd S2S_ANY, _enqcmds S2S_ANY, _mm_popcnt_u32 S2S_ANY, _rdseed16_step S2S_ANY,
  _rdseed32_step S2S_ANY, _rdseed64_step S2S_ANY, _xtest S2S_ANY, _rdrand16_step S2S_ANY,
  _rdrand32_step S2S_ANY, _rdrand64_step S2S_ANY, _mm_cvtsi64_si32 S2S_ANY, _m_to_int S2S_ANY,
  _mm_comieq_ss S2S_ANY, _mm_comilt_ss S2S_ANY, _mm_comile_ss S2S_ANY, _mm_comigt_ss S2S_ANY,
  _mm_comige_ss S2S_ANY, _mm_comineq_ss S2S_ANY, _mm_ucomieq_ss S2S_ANY, _mm_ucomilt_ss S2S_ANY,
  _mm_ucomile_ss S2S_ANY, _mm_ucomigt_ss S2S_ANY, _mm_ucomige_ss S2S_ANY, _mm_ucomineq_ss S2S_ANY,
  _mm_cvtss_si32 S2S_ANY, _mm_cvt_ss2si S2S_ANY, _mm_cvttss_si32 S2S_ANY, _mm_cvtt_ss2si S2S_ANY,
  _mm_movemask_ps S2S_ANY, _mm_extract_pi16 S2S_ANY, _m_pextrw S2S_ANY, _mm_movemask_pi8 S2S_ANY,
  _m_pmovmskb S2S_ANY, _mm_cvtsi128_si32 S2S_ANY, _mm_comieq_sd S2S_ANY, _mm_comilt_sd S2S_ANY,
  _mm_comile_sd S2S_ANY, _mm_comigt_sd S2S_ANY, _mm_comige_sd S2S_ANY, _mm_comineq_sd S2S_ANY,
  _mm_ucomieq_sd S2S_ANY, _mm_ucomilt_sd S2S_ANY, _mm_ucomile_sd S2S_ANY, _mm_ucomigt_sd S2S_ANY,
  _mm_ucomige_sd S2S_ANY, _mm_ucomineq_sd S2S_ANY, _mm_cvtsd_si32 S2S_ANY, _mm_cvttsd_si32 S2S_ANY,
  _mm_movemask_pd S2S_ANY, _mm_extract_epi16 S2S_ANY, _mm_movemask_epi8 S2S_ANY, _mm_testz_si128
  S2S_ANY, _mm_testc_si128 S2S_ANY, _mm_testnzc_si128 S2S_ANY, _mm_extract_ps S2S_ANY,
  _mm_extract_epi8 S2S_ANY, _mm_extract_epi32 S2S_ANY, _mm_cmpistri S2S_ANY, _mm_cmpestri S2S_ANY,
  _mm_cmpistra S2S_ANY, _mm_cmpistrc S2S_ANY, _mm_cmpistro S2S_ANY, _mm_cmpistrs S2S_ANY,
  _mm_cmpistrz S2S_ANY, _mm_cmpestra S2S_ANY, _mm_cmpestrc S2S_ANY, _mm_cmpestro S2S_ANY,
  _mm_cmpestrs S2S_ANY, _mm_cmpestrz S2S_ANY, _mm256_cvtsi256_si32 S2S_ANY, _mm256_extract_epi32
  S2S_ANY, _mm256_extract_epi16 S2S_ANY, _mm256_extract_epi8 S2S_ANY, _mm_testz_pd S2S_ANY,
  _mm_testc_pd S2S_ANY, _mm_testnzc_pd S2S_ANY, _mm_testz_ps S2S_ANY, _mm_testc_ps S2S_ANY,
  _mm_testnzc_ps S2S_ANY, _mm256_testz_pd S2S_ANY, _mm256_testc_pd S2S_ANY, _mm256_testnzc_pd
  S2S_ANY, _mm256_testz_ps S2S_ANY, _mm256_testc_ps S2S_ANY, _mm256_testnzc_ps S2S_ANY,
  _mm256_testz_si256 S2S_ANY, _mm256_testc_si256 S2S_ANY, _mm256_testnzc_si256 S2S_ANY,
  _mm256_movemask_pd S2S_ANY, _mm256_movemask_ps S2S_ANY, _mm256_movemask_epi8 S2S_ANY,
  _mm512_mask2int S2S_ANY, _mm_cvt_roundss_si32 S2S_ANY, _mm_cvt_roundss_i32 S2S_ANY,
  _mm_cvtt_roundss_i32 S2S_ANY, _mm_cvtt_roundss_si32 S2S_ANY, _mm_cvt_roundsd_si32 S2S_ANY,
  _mm_cvt_roundsd_i32 S2S_ANY, _mm_cvtt_roundsd_i32 S2S_ANY, _mm_cvtt_roundsd_si32 S2S_ANY,
  _mm512_kortestz S2S_ANY, _mm512_kortestc S2S_ANY, _mm_comi_round_ss S2S_ANY, _mm_comi_round_sd
  S2S_ANY, _mm512_cvtsi512_si32 S2S_ANY, _mm_cvttss_i32 S2S_ANY, _mm_cvtsd_i32 S2S_ANY,
  _mm_cvtss_i32 S2S_ANY, _mm_cvttsd_i32 S2S_ANY, _mm512_reduce_add_epi32 S2S_ANY,
  _mm512_reduce_mul_epi32 S2S_ANY, _mm512_reduce_and_epi32 S2S_ANY, _mm512_reduce_or_epi32 S2S_ANY,
  _mm512_mask_reduce_add_epi32 S2S_ANY, _mm512_mask_reduce_mul_epi32 S2S_ANY,
  _mm512_mask_reduce_and_epi32 S2S_ANY, _mm512_mask_reduce_or_epi32 S2S_ANY, _mm512_reduce_min_epi32
  S2S_ANY, _mm512_reduce_max_epi32 S2S_ANY, _mm512_mask_reduce_min_epi32 S2S_ANY,
  _mm512_mask_reduce_max_epi32 S2S_ANY, _mm_comieq_sh S2S_ANY, _mm_comilt_sh S2S_ANY, _mm_comile_sh
  S2S_ANY, _mm_comigt_sh S2S_ANY, _mm_comige_sh S2S_ANY, _mm_comineq_sh S2S_ANY, _mm_ucomieq_sh
  S2S_ANY, _mm_ucomilt_sh S2S_ANY, _mm_ucomile_sh S2S_ANY, _mm_ucomigt_sh S2S_ANY, _mm_ucomige_sh
  S2S_ANY, _mm_ucomineq_sh S2S_ANY, _mm_comi_sh S2S_ANY, _mm_comi_round_sh S2S_ANY, _mm_cvtsh_i32
  S2S_ANY, _mm_cvt_roundsh_i32 S2S_ANY, _mm_cvttsh_i32 S2S_ANY, _mm_cvtt_roundsh_i32 S2S_ANY,
  _mm_test_all_zeros S2S_ANY, _bit_scan_forward S2S_ANY, _mm_test_mix_ones_zeros S2S_ANY,
  _bit_scan_reverse S2S_ANY, _popcnt32 S2S_ANY, _mm_test_all_ones S2S_ANY, _bswap S2S_ANY;
S2S_INTRINSIC long long
  __bswapq S2S_ANY, __popcntq S2S_ANY, _mm_popcnt_u64 S2S_ANY, _xgetbv S2S_ANY, _m_to_int64 S2S_ANY,
  _mm_cvtm64_si64 S2S_ANY, _mm_cvtsi64_si64x S2S_ANY, _mm_cvtss_si64 S2S_ANY, _mm_cvtss_si64x
  S2S_ANY, _mm_cvttss_si64 S2S_ANY, _mm_cvttss_si64x S2S_ANY, _mm_cvtsi128_si64 S2S_ANY,
  _mm_cvtsi128_si64x S2S_ANY, _mm_cvtsd_si64 S2S_ANY, _mm_cvtsd_si64x S2S_ANY, _mm_cvttsd_si64
  S2S_ANY, _mm_cvttsd_si64x S2S_ANY, _mm_extract_epi64 S2S_ANY, _mm256_extract_epi64 S2S_ANY,
  _mm_cvt_roundss_si64 S2S_ANY, _mm_cvt_roundss_i64 S2S_ANY, _mm_cvtt_roundss_i64 S2S_ANY,
  _mm_cvtt_roundss_si64 S2S_ANY, _mm_cvt_roundsd_si64 S2S_ANY, _mm_cvt_roundsd_i64 S2S_ANY,
  _mm_cvtt_roundsd_si64 S2S_ANY, _mm_cvtt_roundsd_i64 S2S_ANY, _mm_cvttss_i64 S2S_ANY,
  _mm_cvttsd_i64 S2S_ANY, _mm_cvtsd_i64 S2S_ANY, _mm_cvtss_i64 S2S_ANY, _mm512_reduce_add_epi64
  S2S_ANY, _mm512_reduce_mul_epi64 S2S_ANY, _mm512_reduce_and_epi64 S2S_ANY, _mm512_reduce_or_epi64
  S2S_ANY, _mm512_mask_reduce_add_epi64 S2S_ANY, _mm512_mask_reduce_mul_epi64 S2S_ANY,
  _mm512_mask_reduce_and_epi64 S2S_ANY, _mm512_mask_reduce_or_epi64 S2S_ANY, _mm512_reduce_min_epi64
  S2S_ANY, _mm512_reduce_max_epi64 S2S_ANY, _mm512_mask_reduce_min_epi64 S2S_ANY,
  _mm512_mask_reduce_max_epi64 S2S_ANY, _mm_cvtsh_i64 S2S_ANY, _mm_cvt_roundsh_i64 S2S_ANY,
  _mm_cvttsh_i64 S2S_ANY, _mm_cvtt_roundsh_i64 S2S_ANY, _bswap64 S2S_ANY, _popcnt64 S2S_ANY;
S2S_INTRINSIC short
  _mm_cvtsi128_si16 S2S_ANY;
S2S_INTRINSIC unsigned char
  __rolb S2S_ANY, __rorb S2S_ANY, _subborrow_u32 S2S_ANY, _addcarry_u32 S2S_ANY, _addcarryx_u32
  S2S_ANY, _subborrow_u64 S2S_ANY, _addcarry_u64 S2S_ANY, _addcarryx_u64 S2S_ANY, __lwpins32
  S2S_ANY, __lwpins64 S2S_ANY, _testui S2S_ANY, _umwait S2S_ANY, _tpause S2S_ANY, _kortest_mask16_u8
  S2S_ANY, _kortestz_mask16_u8 S2S_ANY, _kortestc_mask16_u8 S2S_ANY, _ktest_mask32_u8 S2S_ANY,
  _ktest_mask64_u8 S2S_ANY, _ktestz_mask32_u8 S2S_ANY, _ktestz_mask64_u8 S2S_ANY, _ktestc_mask32_u8
  S2S_ANY, _ktestc_mask64_u8 S2S_ANY, _kortest_mask32_u8 S2S_ANY, _kortest_mask64_u8 S2S_ANY,
  _kortestz_mask32_u8 S2S_ANY, _kortestz_mask64_u8 S2S_ANY, _kortestc_mask32_u8 S2S_ANY,
  _kortestc_mask64_u8 S2S_ANY, _ktest_mask8_u8 S2S_ANY, _ktestz_mask8_u8 S2S_ANY, _ktestc_mask8_u8
  S2S_ANY, _ktest_mask16_u8 S2S_ANY, _ktestz_mask16_u8 S2S_ANY, _ktestc_mask16_u8 S2S_ANY,
  _kortest_mask8_u8 S2S_ANY, _kortestz_mask8_u8 S2S_ANY, _kortestc_mask8_u8 S2S_ANY,
  _mm_aesdec128kl_u8 S2S_ANY, _mm_aesdec256kl_u8 S2S_ANY, _mm_aesenc128kl_u8 S2S_ANY,
  _mm_aesenc256kl_u8 S2S_ANY, _mm_aesdecwide128kl_u8 S2S_ANY, _mm_aesdecwide256kl_u8 S2S_ANY,
  _mm_aesencwide128kl_u8 S2S_ANY, _mm_aesencwide256kl_u8 S2S_ANY;
S2S_INTRINSIC unsigned int
  __crc32b S2S_ANY, __crc32w S2S_ANY, __crc32d S2S_ANY, __rold S2S_ANY, __rord S2S_ANY, __andn_u32
  S2S_ANY, _andn_u32 S2S_ANY, __bextr_u32 S2S_ANY, _bextr_u32 S2S_ANY, __blsi_u32 S2S_ANY, _blsi_u32
  S2S_ANY, __blsmsk_u32 S2S_ANY, _blsmsk_u32 S2S_ANY, __blsr_u32 S2S_ANY, _blsr_u32 S2S_ANY,
  __tzcnt_u32 S2S_ANY, _tzcnt_u32 S2S_ANY, _bzhi_u32 S2S_ANY, _pdep_u32 S2S_ANY, _pext_u32 S2S_ANY,
  __lzcnt32 S2S_ANY, _lzcnt_u32 S2S_ANY, _pconfig_u32 S2S_ANY, _rdpkru_u32 S2S_ANY, _xbegin S2S_ANY,
  _encls_u32 S2S_ANY, _enclu_u32 S2S_ANY, _enclv_u32 S2S_ANY, __bextri_u32 S2S_ANY, __blcfill_u32
  S2S_ANY, __blci_u32 S2S_ANY, __blcic_u32 S2S_ANY, __blcmsk_u32 S2S_ANY, __blcs_u32 S2S_ANY,
  __blsfill_u32 S2S_ANY, __blsic_u32 S2S_ANY, __t1mskc_u32 S2S_ANY, __tzmsk_u32 S2S_ANY, _rdpid_u32
  S2S_ANY, _readfsbase_u32 S2S_ANY, _readgsbase_u32 S2S_ANY, _MM_GET_EXCEPTION_STATE S2S_ANY,
  _MM_GET_EXCEPTION_MASK S2S_ANY, _MM_GET_ROUNDING_MODE S2S_ANY, _MM_GET_FLUSH_ZERO_MODE S2S_ANY,
  _mm_crc32_u8 S2S_ANY, _mm_crc32_u16 S2S_ANY, _mm_crc32_u32 S2S_ANY, _cvtmask16_u32 S2S_ANY,
  _mm512_reduce_min_epu32 S2S_ANY, _mm512_reduce_max_epu32 S2S_ANY, _mm512_mask_reduce_min_epu32
  S2S_ANY, _mm512_mask_reduce_max_epu32 S2S_ANY, _cvtmask32_u32 S2S_ANY, _cvtmask8_u32 S2S_ANY,
  _mm_encodekey128_u32 S2S_ANY, _mm_encodekey256_u32 S2S_ANY, _mm_cvt_roundss_u32 S2S_ANY,
  _mm_cvtt_roundss_u32 S2S_ANY, _mm_cvt_roundsd_u32 S2S_ANY, _mm_cvtt_roundsd_u32 S2S_ANY,
  _mm_cvtss_u32 S2S_ANY, _mm_cvttss_u32 S2S_ANY, _mm_cvtsd_u32 S2S_ANY, _mm_cvttsd_u32 S2S_ANY,
  _mm_cvtsh_u32 S2S_ANY, _mm_cvt_roundsh_u32 S2S_ANY, _mm_cvttsh_u32 S2S_ANY, _mm_cvtt_roundsh_u32
  S2S_ANY, _rotl S2S_ANY, _rotr S2S_ANY;
S2S_INTRINSIC unsigned long long
  __rdpmc S2S_ANY, __rdtscp S2S_ANY, __crc32q S2S_ANY, __rolq S2S_ANY, __rorq S2S_ANY, __readeflags
  S2S_ANY, __andn_u64 S2S_ANY, _andn_u64 S2S_ANY, __bextr_u64 S2S_ANY, _bextr_u64 S2S_ANY,
  __blsi_u64 S2S_ANY, _blsi_u64 S2S_ANY, __blsmsk_u64 S2S_ANY, _blsmsk_u64 S2S_ANY, __blsr_u64
  S2S_ANY, _blsr_u64 S2S_ANY, __tzcnt_u64 S2S_ANY, _tzcnt_u64 S2S_ANY, _bzhi_u64 S2S_ANY, _pdep_u64
  S2S_ANY, _pext_u64 S2S_ANY, _mulx_u64 S2S_ANY, _get_ssp S2S_ANY, __lzcnt64 S2S_ANY, _lzcnt_u64
  S2S_ANY, __bextri_u64 S2S_ANY, __blcfill_u64 S2S_ANY, __blci_u64 S2S_ANY, __blcic_u64 S2S_ANY,
  __blcmsk_u64 S2S_ANY, __blcs_u64 S2S_ANY, __blsfill_u64 S2S_ANY, __blsic_u64 S2S_ANY, __t1mskc_u64
  S2S_ANY, __tzmsk_u64 S2S_ANY, _readfsbase_u64 S2S_ANY, _readgsbase_u64 S2S_ANY, _mm_crc32_u64
  S2S_ANY, _mm_cvt_roundss_u64 S2S_ANY, _mm_cvtt_roundss_u64 S2S_ANY, _mm_cvt_roundsd_u64 S2S_ANY,
  _mm_cvtt_roundsd_u64 S2S_ANY, _mm_cvtss_u64 S2S_ANY, _mm_cvttss_u64 S2S_ANY, _mm_cvtsd_u64
  S2S_ANY, _mm_cvttsd_u64 S2S_ANY, _mm512_reduce_min_epu64 S2S_ANY, _mm512_reduce_max_epu64 S2S_ANY,
  _mm512_mask_reduce_min_epu64 S2S_ANY, _mm512_mask_reduce_max_epu64 S2S_ANY, _cvtmask64_u64
  S2S_ANY, _mm_cvtsh_u64 S2S_ANY, _mm_cvt_roundsh_u64 S2S_ANY, _mm_cvttsh_u64 S2S_ANY,
  _mm_cvtt_roundsh_u64 S2S_ANY, _rdtsc S2S_ANY, _lrotr S2S_ANY, _rdpmc S2S_ANY, _rdtscp S2S_ANY,
  _lrotl S2S_ANY;
S2S_INTRINSIC unsigned short
  __rolw S2S_ANY, __rorw S2S_ANY, __tzcnt_u16 S2S_ANY, _tzcnt_u16 S2S_ANY, __lzcnt16 S2S_ANY,
  _cvtss_sh S2S_ANY, _rotwl S2S_ANY, _rotwr S2S_ANY;
S2S_INTRINSIC void
  __pause S2S_ANY, __writeeflags S2S_ANY, _inc_ssp S2S_ANY, _saveprevssp S2S_ANY, _rstorssp S2S_ANY,
  _wrssd S2S_ANY, _wrssq S2S_ANY, _wrussd S2S_ANY, _wrussq S2S_ANY, _setssbsy S2S_ANY, _clrssbsy
  S2S_ANY, _cldemote S2S_ANY, _mm_clflushopt S2S_ANY, _mm_clwb S2S_ANY, _mm_clzero S2S_ANY, _fxsave
  S2S_ANY, _fxrstor S2S_ANY, _fxsave64 S2S_ANY, _fxrstor64 S2S_ANY, __llwpcb S2S_ANY, __lwpval32
  S2S_ANY, __lwpval64 S2S_ANY, _directstoreu_u32 S2S_ANY, _directstoreu_u64 S2S_ANY, _movdir64b
  S2S_ANY, _mm_monitor S2S_ANY, _mm_mwait S2S_ANY, _mm_monitorx S2S_ANY, _mm_mwaitx S2S_ANY, _wrpkru
  S2S_ANY, _xend S2S_ANY, _xabort S2S_ANY, _serialize S2S_ANY, _xsusldtrk S2S_ANY, _xresldtrk
  S2S_ANY, _clui S2S_ANY, _stui S2S_ANY, _senduipi S2S_ANY, _umonitor S2S_ANY, _wbnoinvd S2S_ANY,
  _xsave S2S_ANY, _xrstor S2S_ANY, _xsetbv S2S_ANY, _xsave64 S2S_ANY, _xrstor64 S2S_ANY, _xsavec
  S2S_ANY, _xsavec64 S2S_ANY, _xsaveopt S2S_ANY, _xsaveopt64 S2S_ANY, _xsaves S2S_ANY, _xrstors
  S2S_ANY, _xrstors64 S2S_ANY, _xsaves64 S2S_ANY, _hreset S2S_ANY, _wbinvd S2S_ANY, _writefsbase_u32
  S2S_ANY, _writefsbase_u64 S2S_ANY, _writegsbase_u32 S2S_ANY, _writegsbase_u64 S2S_ANY, _ptwrite64
  S2S_ANY, _ptwrite32 S2S_ANY, _mm_empty S2S_ANY, _m_empty S2S_ANY, _mm_prefetch S2S_ANY,
  _mm_storeh_pi S2S_ANY, _mm_storel_pi S2S_ANY, _mm_setcsr S2S_ANY, _MM_SET_EXCEPTION_STATE S2S_ANY,
  _MM_SET_EXCEPTION_MASK S2S_ANY, _MM_SET_ROUNDING_MODE S2S_ANY, _MM_SET_FLUSH_ZERO_MODE S2S_ANY,
  _mm_store_ss S2S_ANY, _mm_store_ps S2S_ANY, _mm_storeu_ps S2S_ANY, _mm_store1_ps S2S_ANY,
  _mm_store_ps1 S2S_ANY, _mm_storer_ps S2S_ANY, _mm_maskmove_si64 S2S_ANY, _m_maskmovq S2S_ANY,
  _mm_stream_pi S2S_ANY, _mm_stream_ps S2S_ANY, _mm_store_pd S2S_ANY, _mm_storeu_pd S2S_ANY,
  _mm_store_sd S2S_ANY, _mm_storel_pd S2S_ANY, _mm_storeh_pd S2S_ANY, _mm_store1_pd S2S_ANY,
  _mm_store_pd1 S2S_ANY, _mm_storer_pd S2S_ANY, _mm_store_si128 S2S_ANY, _mm_storeu_si128 S2S_ANY,
  _mm_storel_epi64 S2S_ANY, _mm_storeu_si64 S2S_ANY, _mm_storeu_si32 S2S_ANY, _mm_storeu_si16
  S2S_ANY, _mm_maskmoveu_si128 S2S_ANY, _mm_stream_si32 S2S_ANY, _mm_stream_si64 S2S_ANY,
  _mm_stream_si128 S2S_ANY, _mm_stream_pd S2S_ANY, _mm_clflush S2S_ANY, _mm256_zeroall S2S_ANY,
  _mm256_zeroupper S2S_ANY, _mm256_store_pd S2S_ANY, _mm256_store_ps S2S_ANY, _mm256_storeu_pd
  S2S_ANY, _mm256_storeu_ps S2S_ANY, _mm256_store_si256 S2S_ANY, _mm256_storeu_si256 S2S_ANY,
  _mm_maskstore_pd S2S_ANY, _mm256_maskstore_pd S2S_ANY, _mm_maskstore_ps S2S_ANY,
  _mm256_maskstore_ps S2S_ANY, _mm256_stream_si256 S2S_ANY, _mm256_stream_pd S2S_ANY,
  _mm256_stream_ps S2S_ANY, _mm256_storeu2_m128 S2S_ANY, _mm256_storeu2_m128d S2S_ANY,
  _mm256_storeu2_m128i S2S_ANY, _mm256_maskstore_epi32 S2S_ANY, _mm256_maskstore_epi64 S2S_ANY,
  _mm_maskstore_epi32 S2S_ANY, _mm_maskstore_epi64 S2S_ANY, _mm512_store_pd S2S_ANY,
  _mm512_mask_store_pd S2S_ANY, _mm512_store_ps S2S_ANY, _mm512_mask_store_ps S2S_ANY,
  _mm512_store_epi64 S2S_ANY, _mm512_mask_store_epi64 S2S_ANY, _mm512_store_si512 S2S_ANY,
  _mm512_store_epi32 S2S_ANY, _mm512_mask_store_epi32 S2S_ANY, _mm512_mask_cvtepi32_storeu_epi8
  S2S_ANY, _mm512_mask_cvtsepi32_storeu_epi8 S2S_ANY, _mm512_mask_cvtusepi32_storeu_epi8 S2S_ANY,
  _mm512_mask_cvtepi32_storeu_epi16 S2S_ANY, _mm512_mask_cvtsepi32_storeu_epi16 S2S_ANY,
  _mm512_mask_cvtusepi32_storeu_epi16 S2S_ANY, _mm512_mask_cvtepi64_storeu_epi32 S2S_ANY,
  _mm512_mask_cvtsepi64_storeu_epi32 S2S_ANY, _mm512_mask_cvtusepi64_storeu_epi32 S2S_ANY,
  _mm512_mask_cvtepi64_storeu_epi16 S2S_ANY, _mm512_mask_cvtsepi64_storeu_epi16 S2S_ANY,
  _mm512_mask_cvtusepi64_storeu_epi16 S2S_ANY, _mm512_mask_cvtepi64_storeu_epi8 S2S_ANY,
  _mm512_mask_cvtsepi64_storeu_epi8 S2S_ANY, _mm512_mask_cvtusepi64_storeu_epi8 S2S_ANY,
  _mm512_storeu_pd S2S_ANY, _mm512_mask_storeu_pd S2S_ANY, _mm512_storeu_ps S2S_ANY,
  _mm512_mask_storeu_ps S2S_ANY, _mm_mask_store_ss S2S_ANY, _mm_mask_store_sd S2S_ANY,
  _mm512_storeu_epi64 S2S_ANY, _mm512_mask_storeu_epi64 S2S_ANY, _mm512_storeu_si512 S2S_ANY,
  _mm512_storeu_epi32 S2S_ANY, _mm512_mask_storeu_epi32 S2S_ANY, _mm512_stream_si512 S2S_ANY,
  _mm512_stream_ps S2S_ANY, _mm512_stream_pd S2S_ANY, _mm512_i32scatter_ps S2S_ANY,
  _mm512_mask_i32scatter_ps S2S_ANY, _mm512_i32scatter_pd S2S_ANY, _mm512_mask_i32scatter_pd
  S2S_ANY, _mm512_i64scatter_ps S2S_ANY, _mm512_mask_i64scatter_ps S2S_ANY, _mm512_i64scatter_pd
  S2S_ANY, _mm512_mask_i64scatter_pd S2S_ANY, _mm512_i32scatter_epi32 S2S_ANY,
  _mm512_mask_i32scatter_epi32 S2S_ANY, _mm512_i32scatter_epi64 S2S_ANY,
  _mm512_mask_i32scatter_epi64 S2S_ANY, _mm512_i64scatter_epi32 S2S_ANY,
  _mm512_mask_i64scatter_epi32 S2S_ANY, _mm512_i64scatter_epi64 S2S_ANY,
  _mm512_mask_i64scatter_epi64 S2S_ANY, _mm512_mask_compressstoreu_pd S2S_ANY,
  _mm512_mask_compressstoreu_ps S2S_ANY, _mm512_mask_compressstoreu_epi64 S2S_ANY,
  _mm512_mask_compressstoreu_epi32 S2S_ANY, _store_mask16 S2S_ANY, _mm512_prefetch_i32gather_pd
  S2S_ANY, _mm512_prefetch_i32gather_ps S2S_ANY, _mm512_mask_prefetch_i32gather_pd S2S_ANY,
  _mm512_mask_prefetch_i32gather_ps S2S_ANY, _mm512_prefetch_i64gather_pd S2S_ANY,
  _mm512_prefetch_i64gather_ps S2S_ANY, _mm512_mask_prefetch_i64gather_pd S2S_ANY,
  _mm512_mask_prefetch_i64gather_ps S2S_ANY, _mm512_prefetch_i32scatter_pd S2S_ANY,
  _mm512_prefetch_i32scatter_ps S2S_ANY, _mm512_mask_prefetch_i32scatter_pd S2S_ANY,
  _mm512_mask_prefetch_i32scatter_ps S2S_ANY, _mm512_prefetch_i64scatter_pd S2S_ANY,
  _mm512_prefetch_i64scatter_ps S2S_ANY, _mm512_mask_prefetch_i64scatter_pd S2S_ANY,
  _mm512_mask_prefetch_i64scatter_ps S2S_ANY, _mm256_mask_store_pd S2S_ANY, _mm_mask_store_pd
  S2S_ANY, _mm256_mask_store_ps S2S_ANY, _mm_mask_store_ps S2S_ANY, _mm256_mask_store_epi64 S2S_ANY,
  _mm_mask_store_epi64 S2S_ANY, _mm256_store_epi32 S2S_ANY, _mm256_mask_store_epi32 S2S_ANY,
  _mm_store_epi32 S2S_ANY, _mm_mask_store_epi32 S2S_ANY, _mm256_store_epi64 S2S_ANY, _mm_store_epi64
  S2S_ANY, _mm256_mask_storeu_pd S2S_ANY, _mm_mask_storeu_pd S2S_ANY, _mm256_mask_storeu_ps S2S_ANY,
  _mm_mask_storeu_ps S2S_ANY, _mm256_storeu_epi64 S2S_ANY, _mm256_mask_storeu_epi64 S2S_ANY,
  _mm_storeu_epi64 S2S_ANY, _mm_mask_storeu_epi64 S2S_ANY, _mm256_storeu_epi32 S2S_ANY,
  _mm256_mask_storeu_epi32 S2S_ANY, _mm_storeu_epi32 S2S_ANY, _mm_mask_storeu_epi32 S2S_ANY,
  _mm_mask_cvtepi32_storeu_epi8 S2S_ANY, _mm256_mask_cvtepi32_storeu_epi8 S2S_ANY,
  _mm_mask_cvtsepi32_storeu_epi8 S2S_ANY, _mm256_mask_cvtsepi32_storeu_epi8 S2S_ANY,
  _mm_mask_cvtusepi32_storeu_epi8 S2S_ANY, _mm256_mask_cvtusepi32_storeu_epi8 S2S_ANY,
  _mm_mask_cvtepi32_storeu_epi16 S2S_ANY, _mm256_mask_cvtepi32_storeu_epi16 S2S_ANY,
  _mm_mask_cvtsepi32_storeu_epi16 S2S_ANY, _mm256_mask_cvtsepi32_storeu_epi16 S2S_ANY,
  _mm_mask_cvtusepi32_storeu_epi16 S2S_ANY, _mm256_mask_cvtusepi32_storeu_epi16 S2S_ANY,
  _mm_mask_cvtepi64_storeu_epi8 S2S_ANY, _mm256_mask_cvtepi64_storeu_epi8 S2S_ANY,
  _mm_mask_cvtsepi64_storeu_epi8 S2S_ANY, _mm256_mask_cvtsepi64_storeu_epi8 S2S_ANY,
  _mm_mask_cvtusepi64_storeu_epi8 S2S_ANY, _mm256_mask_cvtusepi64_storeu_epi8 S2S_ANY,
  _mm_mask_cvtepi64_storeu_epi16 S2S_ANY, _mm256_mask_cvtepi64_storeu_epi16 S2S_ANY,
  _mm_mask_cvtsepi64_storeu_epi16 S2S_ANY, _mm256_mask_cvtsepi64_storeu_epi16 S2S_ANY,
  _mm_mask_cvtusepi64_storeu_epi16 S2S_ANY, _mm256_mask_cvtusepi64_storeu_epi16 S2S_ANY,
  _mm_mask_cvtepi64_storeu_epi32 S2S_ANY, _mm256_mask_cvtepi64_storeu_epi32 S2S_ANY,
  _mm_mask_cvtsepi64_storeu_epi32 S2S_ANY, _mm256_mask_cvtsepi64_storeu_epi32 S2S_ANY,
  _mm_mask_cvtusepi64_storeu_epi32 S2S_ANY, _mm256_mask_cvtusepi64_storeu_epi32 S2S_ANY,
  _mm256_mask_compressstoreu_pd S2S_ANY, _mm_mask_compressstoreu_pd S2S_ANY,
  _mm256_mask_compressstoreu_ps S2S_ANY, _mm_mask_compressstoreu_ps S2S_ANY,
  _mm256_mask_compressstoreu_epi64 S2S_ANY, _mm_mask_compressstoreu_epi64 S2S_ANY,
  _mm256_mask_compressstoreu_epi32 S2S_ANY, _mm_mask_compressstoreu_epi32 S2S_ANY,
  _mm256_i32scatter_ps S2S_ANY, _mm256_mask_i32scatter_ps S2S_ANY, _mm_i32scatter_ps S2S_ANY,
  _mm_mask_i32scatter_ps S2S_ANY, _mm256_i32scatter_pd S2S_ANY, _mm256_mask_i32scatter_pd S2S_ANY,
  _mm_i32scatter_pd S2S_ANY, _mm_mask_i32scatter_pd S2S_ANY, _mm256_i64scatter_ps S2S_ANY,
  _mm256_mask_i64scatter_ps S2S_ANY, _mm_i64scatter_ps S2S_ANY, _mm_mask_i64scatter_ps S2S_ANY,
  _mm256_i64scatter_pd S2S_ANY, _mm256_mask_i64scatter_pd S2S_ANY, _mm_i64scatter_pd S2S_ANY,
  _mm_mask_i64scatter_pd S2S_ANY, _mm256_i32scatter_epi32 S2S_ANY, _mm256_mask_i32scatter_epi32
  S2S_ANY, _mm_i32scatter_epi32 S2S_ANY, _mm_mask_i32scatter_epi32 S2S_ANY, _mm256_i32scatter_epi64
  S2S_ANY, _mm256_mask_i32scatter_epi64 S2S_ANY, _mm_i32scatter_epi64 S2S_ANY,
  _mm_mask_i32scatter_epi64 S2S_ANY, _mm256_i64scatter_epi32 S2S_ANY, _mm256_mask_i64scatter_epi32
  S2S_ANY, _mm_i64scatter_epi32 S2S_ANY, _mm_mask_i64scatter_epi32 S2S_ANY, _mm256_i64scatter_epi64
  S2S_ANY, _mm256_mask_i64scatter_epi64 S2S_ANY, _mm_i64scatter_epi64 S2S_ANY,
  _mm_mask_i64scatter_epi64 S2S_ANY, _store_mask32 S2S_ANY, _store_mask64 S2S_ANY,
  _mm512_storeu_epi16 S2S_ANY, _mm512_mask_storeu_epi16 S2S_ANY, _mm512_storeu_epi8 S2S_ANY,
  _mm512_mask_storeu_epi8 S2S_ANY, _mm512_mask_cvtepi16_storeu_epi8 S2S_ANY,
  _mm512_mask_cvtsepi16_storeu_epi8 S2S_ANY, _mm512_mask_cvtusepi16_storeu_epi8 S2S_ANY,
  _store_mask8 S2S_ANY, _mm256_storeu_epi8 S2S_ANY, _mm256_mask_storeu_epi8 S2S_ANY, _mm_storeu_epi8
  S2S_ANY, _mm_mask_storeu_epi8 S2S_ANY, _mm256_mask_cvtepi16_storeu_epi8 S2S_ANY,
  _mm_mask_cvtsepi16_storeu_epi8 S2S_ANY, _mm256_mask_cvtsepi16_storeu_epi8 S2S_ANY,
  _mm_mask_cvtusepi16_storeu_epi8 S2S_ANY, _mm256_mask_cvtusepi16_storeu_epi8 S2S_ANY,
  _mm256_storeu_epi16 S2S_ANY, _mm256_mask_storeu_epi16 S2S_ANY, _mm_storeu_epi16 S2S_ANY,
  _mm_mask_storeu_epi16 S2S_ANY, _mm_mask_cvtepi16_storeu_epi8 S2S_ANY,
  _mm512_mask_compressstoreu_epi8 S2S_ANY, _mm512_mask_compressstoreu_epi16 S2S_ANY,
  _mm256_mask_compressstoreu_epi16 S2S_ANY, _mm_mask_compressstoreu_epi8 S2S_ANY,
  _mm_mask_compressstoreu_epi16 S2S_ANY, _mm256_mask_compressstoreu_epi8 S2S_ANY,
  _mm512_2intersect_epi32 S2S_ANY, _mm512_2intersect_epi64 S2S_ANY, _mm_2intersect_epi32 S2S_ANY,
  _mm256_2intersect_epi32 S2S_ANY, _mm_2intersect_epi64 S2S_ANY, _mm256_2intersect_epi64 S2S_ANY,
  _mm_store_sh S2S_ANY, _mm512_store_ph S2S_ANY, _mm256_store_ph S2S_ANY, _mm_store_ph S2S_ANY,
  _mm512_storeu_ph S2S_ANY, _mm256_storeu_ph S2S_ANY, _mm_storeu_ph S2S_ANY, _mm_mask_store_sh
  S2S_ANY, _tile_loadconfig S2S_ANY, _tile_storeconfig S2S_ANY, _tile_release S2S_ANY, _m_prefetchw
  S2S_ANY, _mm_loadiwkey S2S_ANY, _m_femms S2S_ANY, _m_prefetch S2S_ANY, _mm_stream_sd S2S_ANY,
  _mm_stream_ss S2S_ANY, _tile_dpbssd S2S_ANY, _tile_dpbsud S2S_ANY, _tile_stream_loadd S2S_ANY,
  _tile_stored S2S_ANY, _tile_dpbf16ps S2S_ANY, _tile_dpbusd S2S_ANY, _tile_dpbuud S2S_ANY,
  _tile_zero S2S_ANY, _tile_loadd S2S_ANY;
S2S_INTRINSIC void *
  __slwpcb S2S_ANY;
