import { CircleCheck } from 'lucide-react'
import { Toast } from 'radix-ui'

interface DoneToastProps {
  /** What was done, in the past tense. */
  message: string
  /** Changes with every message, so that the same one twice is said twice. */
  id: string
}

/** Says what was done and goes after six seconds; without a script it stays until the next page. */
export function DoneToast({ message, id }: DoneToastProps) {
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
