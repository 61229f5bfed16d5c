/**
 * SHA-256 of a migration that some databases ran in an earlier wording or under an earlier name → its name today. What an
 * earlier wording did differently, the migration `same_schema_everywhere` makes up for.
 */
export const EARLIER_MIGRATIONS: ReadonlyMap<string, string> = new Map([
  ['24a2af0bf2fac7780d155bccaa98c91edccb5501383ddbefe08d3bfbfce6769d', '20261130020000_inbox_settings'],
  ['0a1c4c2eec5ff0388ad250427ab9a0db4ef0ec0cdbcc9aa4573cf19da33df95b', '20261129080000_consent_choices'],
  ['9a077bb543f5823c20923c66459315a24a7f7310b5acf191fb872451257d8c38', '20261201020000_live'],
  ['66133d6f09c0fa8a6e50f096150b311ba43b8c203b1b4848c64770fbc67e2203', '20261201040000_patient_records'],
  ['cc4c52694bc7923a01a2eb4d1e2d029e5979aad5951a1d748bbf382ab2fdca4f', '20261204010000_withheld_patients'],
  ['abed12f172c7fbbcb21ce5b1ab110d1766e74f03506b2daaf0e798848d5dd9bc', '20261205010000_log_months_bound'],
  ['11a821973573d46ce944ab27371be2555713e20c13858c339b132d790f18888e', '20261205010200_log_months'],
  ['fbda94655a28d4c475e97d476e21fb82ee55823b5615dfc3a83bc69d860dd630', '20261205010200_log_months'],
])
