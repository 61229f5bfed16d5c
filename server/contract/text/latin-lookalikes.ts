/**
 * Letters of other scripts that are drawn like Latin ones, so that a name written in them alone reads as another name: a
 * selection of https://www.unicode.org/Public/security/latest/confusables.txt (whole-script confusables,
 * https://www.unicode.org/reports/tr39/#Whole_Script_Confusables). Letters with accents are left out, and Cyrillic
 * letters that only resemble small capitals, because ordinary names are written with them.
 */
const cyrillic = 'АВЕЅІЈКМНОРСТУХҮЅԌԚԜӀаеорсухѕіјһԁԛԝѵүӏҽ'
const greek = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿαιορυνϲϳγ'

const lookalikes = new Set([...cyrillic, ...greek])

/** Whether a name holds no letter that tells it from a Latin one, and no Latin letter either. */
export function looksLatin(name: string): boolean {
  const letters = name.match(/\p{L}\p{M}*/gu) ?? []
  return letters.length > 0 && letters.every((letter) => lookalikes.has(letter))
}
