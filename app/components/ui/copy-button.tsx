import { useEffect, useState } from 'react'
import { copiedWords, copyFrom } from '../../lib/copy-from.ts'
import { Check, Copy } from './icons.ts'
import { Button } from './page-parts.tsx'

interface CopyButtonProps {
  /** Without it, the button copies what the block around it shows. */
  text?: string
  label: string
  /** A word beside the icon. */
  word?: string
}

/** Copies the text and confirms it for two seconds. Hidden where no script runs. */
export function CopyButton({ text, label, word }: CopyButtonProps) {
  const [result, setResult] = useState<keyof typeof copiedWords | null>(null)

  useEffect(() => {
    if (result === null) return
    const timer = setTimeout(() => setResult(null), 2_000)
    return () => clearTimeout(timer)
  }, [result])

  return (
    <Button
      look="plain"
      size="sm"
      icon={word === undefined}
      className="copy needs-script"
      aria-label={label}
      data-copy={text}
      onClick={async ({ currentTarget }) => setResult(await copyFrom(currentTarget))}
    >
      {result === 'copied' ? <Check className="i" /> : <Copy className="i" />}
      {word}
      <span className="sr" role="status">
        {result && copiedWords[result]}
      </span>
    </Button>
  )
}

interface CopyCodeProps {
  text: string
  label: string
  /** The button stays beside the text, however narrow the line. */
  row?: boolean
}

/** An id, a key or an address with the button that copies it. */
export function CopyCode({ text, label, row = false }: CopyCodeProps) {
  const parts = (
    <>
      <code className="breaks">{text}</code> <CopyButton text={text} label={label} />
    </>
  )
  return row ? <span className="row flex-nowrap">{parts}</span> : parts
}
