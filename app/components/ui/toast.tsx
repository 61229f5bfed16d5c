import { useEffect, useState } from 'react'
import { CircleCheck } from './icons.ts'

interface DoneToastProps {
  /** What was done, in the past tense. */
  message: string
  /** The page is not hydrated by React. */
  still: boolean
}

const shownMs = 6_000

/** Says what was done and goes after six seconds; without a script it stays until the next page. */
export function DoneToast({ message, still }: DoneToastProps) {
  const [shown, setShown] = useState(false)
  const [pointedAt, setPointedAt] = useState(false)
  // Screen readers announce what comes into a region that is on the page already.
  useEffect(() => setShown(true), [])
  useEffect(() => {
    if (pointedAt) return
    const timer = setTimeout(() => setShown(false), shownMs)
    return () => clearTimeout(timer)
  }, [pointedAt])
  const withoutScript = (
    <p className="toast toasts" role="status">
      {message}
    </p>
  )
  if (still) return withoutScript
  return (
    <>
      <div
        className="toasts"
        role="status"
        onPointerEnter={() => setPointedAt(true)}
        onPointerLeave={() => setPointedAt(false)}
      >
        {shown && (
          <p className="toast">
            <CircleCheck className="i" />
            {message}
          </p>
        )}
      </div>
      <noscript>{withoutScript}</noscript>
    </>
  )
}
