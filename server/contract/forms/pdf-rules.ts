/** What a PDF of one's own may be. It is rebuilt from its pages: what they draw is kept, and nothing else. */
export const pdfBounds = {
  pagesMax: 500,
  /** Names, numbers, texts and dictionaries behind all pages. */
  valuesMax: 1_000_000,
  /** Of all streams behind the pages, unpacked. */
  unpackedBytesMax: 250_000_000,
  /** For reading and rebuilding it, in a process of its own. */
  milliseconds: 8_000,
  heapMegabytes: 256,
  memoryMegabytes: 384,
  /** At the same time, in one process. Others wait for their turn. */
  atOnce: 2,
  waitingMax: 8,
} as const

/** Why it is not taken. */
export const pdfFaults = {
  encrypted: 'The PDF is encrypted. Save it without a password, and choose it again.',
  damaged: 'The PDF can’t be read. Print it to a new PDF, and choose that one.',
  long: `The PDF has more than ${pdfBounds.pagesMax} pages. Use a shorter document.`,
  complex: 'The PDF takes too long to read. Print it to a new PDF, and choose that one.',
} as const

/** No place is free, or this person's last document has one. */
export const pdfBusy = 'Other documents are being read. Choose the file again, and send it in a minute.'

export type PdfFault = keyof typeof pdfFaults
