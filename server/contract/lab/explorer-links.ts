/**
 * Query parameters with which a link fills in the explorer. Parameters and headers of REST operations have the names of
 * their fields (`p.id`, `q.limit`, `h.X-Purpose`).
 */

/** The JSON body of a REST operation. */
export const askedBody = 'body'
/** The arguments of a tool as JSON. */
export const askedArgs = 'arguments'
/** The path of a FHIR request below the base, with its query. */
export const askedPath = 'path'
