import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

interface CopyButtonProps {
  text: string
  label: string
  /** A word beside the icon. */
  word?: string
}

/** Copies, and confirms it for two seconds. Not shown where no script runs. */
export function CopyButton({ text, label, word }: CopyButtonProps) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null)

  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), 2_000)
    return () => clearTimeout(timer)
  }, [said])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('copied')
    } catch {
      setSaid('failed')
    }
  }
  return (
    <Button
      look="plain"
      size="sm"
      icon={word === undefined}
      className="needs-script"
      aria-label={label}
      onClick={copy}
    >
      {said === 'copied' ? <Check className="i" /> : <Copy className="i" />}
      {word}
      <span className="sr" role="status">
        {said === 'copied' ? 'Copied' : said === 'failed' ? 'Not copied. Select and copy it manually' : ''}
      </span>
    </Button>
  )
}
