import { Ban, CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Tag } from '../../components/ui/tag.tsx'

export function AnswerStatus({ status }: { status: number }) {
  const word = words[status] ?? ''
  if (status < 400)
    return (
      <Tag tone="ok" icon={CircleCheck}>
        {status} {word}
      </Tag>
    )
  return (
    <Tag tone={status >= 500 ? 'bad' : 'quiet'} icon={status >= 500 ? TriangleAlert : Ban}>
      {status} {word}
    </Tag>
  )
}

const words: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Payload too large',
  415: 'Unsupported type',
  429: 'Too many requests',
  500: 'Server error',
  503: 'Unavailable',
}
