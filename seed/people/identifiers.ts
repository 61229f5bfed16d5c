/** Numbers of people and places: recognisable, with the check digits that software verifies. */

/**
 * A National Provider Identifier of the range 2999…, which has never been issued (real ones begin with 1).
 * The check digit is Luhn's over the card prefix 80840:
 * https://www.cms.gov/Regulations-and-Guidance/Administrative-Simplification/NationalProvIdentStand/Downloads/NPIcheckdigit.pdf
 * @param number 0 to 99,999
 */
export function npi(number: number): string {
  const body = `2999${String(number).padStart(5, '0')}`
  return `${body}${luhnDigit(`80840${body}`)}`
}

export function isValidNpi(value: string): boolean {
  return /^[12]\d{9}$/.test(value) && luhnDigit(`80840${value.slice(0, 9)}`) === Number(value[9])
}

/** Unique for index 0 to 899,999, and scattered so that neighbours do not count up. */
export function medicalRecordNumber(index: number): string {
  return `SYN-${100_000 + ((index * 7_919 + 31_337) % 900_000)}`
}

/** 555-01xx is set aside for fiction in every area code. */
export function phoneNumber(areaCode: string, number: number): string {
  return `(${areaCode}) 555-01${String(number % 100).padStart(2, '0')}`
}

function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}
