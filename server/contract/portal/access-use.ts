/** Days that the pages and rules of a practice's keys and apps look at, today included on the pages. */
export const useDays = 30
