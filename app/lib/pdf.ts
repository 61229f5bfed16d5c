/** A document as a file: never shown inside our pages, always saved. */
export function pdfAnswer({ fileName, bytes }: { fileName: string; bytes: Uint8Array }): Response {
  return new Response(Buffer.from(bytes), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileName}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
