/** Why a PDF of one's own is not taken as a document to sign. */
export const pdfFaults = {
  encrypted: 'The PDF is encrypted. Save it without a password, and choose it again.',
  scripted:
    'The PDF contains a script, or a form or action that loads, sends or starts something. Print it to a new PDF, and choose that one.',
  files: 'The PDF contains other files. Print it to a new PDF, and choose that one.',
  damaged: 'The PDF is damaged or incomplete. Save it again, and choose the new file.',
  unreadable: 'The PDF can’t be checked for scripts. Print it to a new PDF, and choose that one.',
} as const

export type PdfFault = keyof typeof pdfFaults
