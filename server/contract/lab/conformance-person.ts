/**
 * The person of every sandbox whose chart has a record for each profile and each search of US Core 6.1.0.
 * `tests/conformance/conformance-person.test.ts` holds the seed to it.
 */
export const conformancePersonId = 'pt-vera-everyfield'
