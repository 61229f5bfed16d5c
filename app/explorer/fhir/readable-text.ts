/** An answer as a page can show it: of what is no text, as a PDF or a picture, its kind alone. */

interface Answer {
  readonly mediaType: string
  readonly text: string
}

export function readableText<A extends Answer>(answer: A): A {
  const { mediaType, text } = answer
  if (/^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(mediaType)) return answer
  return {
    ...answer,
    text: text === '' ? '' : `${mediaType || 'Bytes of an unknown type'}: not shown as text.`,
  }
}
