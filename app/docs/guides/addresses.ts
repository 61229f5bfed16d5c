/** The addresses of this installation, which guides name by words in capitals. */
export interface Addresses {
  readonly portal: string
  readonly rest: string
  readonly fhir: string
}

const words = { PUBLIC_ORIGIN: 'portal', REST_ORIGIN: 'rest', FHIR_ORIGIN: 'fhir' } as const

/** Puts the addresses in place of their words. */
export function placeAddresses(text: string, addresses: Addresses): string {
  return text.replace(
    /\b(PUBLIC|REST|FHIR)_ORIGIN\b/g,
    (word) => addresses[words[word as keyof typeof words]],
  )
}
