/** Text in one spelling. Everything that normalizes goes through here. */

/**
 * Marks in a row beyond what any language writes are dropped first: putting them in their order takes time that grows
 * with the square of their number. https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
const marksMax = 30
const surplusMarks = new RegExp(`(?<!\\p{M})(\\p{M}{${marksMax}})\\p{M}+`, 'gu')

export const normalize = (text: string, form: 'NFC' | 'NFKC' | 'NFD' | 'NFKD'): string =>
  text.replace(surplusMarks, '$1').normalize(form)
