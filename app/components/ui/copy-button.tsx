import { useEffect, useState } from 'react'
import { copiedWords, copyFrom } from '../../lib/copy-from.ts'
import { Button } from './button.tsx'
import { Check, Copy } from './icons.ts'

interface CopyButtonProps {
  /** Missing: what the block around it shows. */
  text?: string
  label: string
  /** A word beside the icon. */
  word?: string
}

/** Copies, and confirms it for two seconds. Not shown where no script runs. */
export function CopyButton({ text, label, word }: CopyButtonProps) {
  const [said, setSaid] = useState<keyof typeof copiedWords | null>(null)

  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), 2_000)
    return () => clearTimeout(timer)
  }, [said])

  return (
    <Button
      look="plain"
      size="sm"
      icon={word === undefined}
      className="copy needs-script"
      aria-label={label}
      data-copy={text}
      onClick={async ({ currentTarget }) => setSaid(await copyFrom(currentTarget))}
    >
      {said === 'copied' ? <Check className="i" /> : <Copy className="i" />}
      {word}
      <span className="sr" role="status">
        {said && copiedWords[said]}
      </span>
    </Button>
  )
}
