/** An answer as a page can show it: of what is no text, as a PDF or a picture, its kind alone. */

interface Answer {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly text: string
}

export function readableText<A extends Answer>(answer: A): A {
  const type = answer.headers.find(({ name }) => name === 'content-type')?.value ?? ''
  if (/^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(type)) return answer
  return {
    ...answer,
    text: answer.text === '' ? '' : `${type || 'Bytes of no named kind'}: not shown as text.`,
  }
}
