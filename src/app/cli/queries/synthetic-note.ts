/** Said wherever the queries were not asked by anybody. */
export const SYNTHETIC_NOTE =
  'synthetic workload: no query log was imported, so these queries were made from titles and anchors'
