import { Toast } from 'radix-ui'
import { CircleCheck } from './icons.ts'

interface DoneToastProps {
  /** What was done, in the past tense. */
  message: string
  /** Changes with every message, so that the same one twice is said twice. */
  id: string
  /** On a page that React does not take over. */
  still?: boolean
}

/** Says what was done and goes after six seconds; without a script it stays until the next page. */
export function DoneToast({ message, id, still }: DoneToastProps) {
  if (still)
    return (
      <p className="toast toasts" role="status">
        {message}
      </p>
    )
  return (
    <Toast.Provider duration={6_000} label="Done">
      <Toast.Root key={id} className="toast">
        <CircleCheck className="i" />
        <Toast.Description>{message}</Toast.Description>
      </Toast.Root>
      <Toast.Viewport className="toasts" />
      <noscript>
        <p className="toast toasts" role="status">
          {message}
        </p>
      </noscript>
    </Toast.Provider>
  )
}
