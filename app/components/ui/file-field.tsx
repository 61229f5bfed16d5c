import { useActionData } from '@remix-run/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FileRule, findFileFault } from '../../../server/contract/forms/files.ts'
import { useFormField } from '../../lib/form-answer.ts'
import { isLostAnswer } from '../../lib/lost-connection.ts'
import { Fault } from './form.tsx'
import { Button } from './page-parts.tsx'

interface FileFieldProps {
  name: string
  id?: string
  /** In a contract form, the form's label for this name when left out. */
  label?: ReactNode
  hint?: ReactNode
  rule: FileRule
  /** Of the file that was sent. */
  fault?: string | undefined
  /** Next to the field, such as the picture that it replaces. */
  children?: ReactNode
  /** Takes a file that the rule allows. */
  onFile?: (file: File) => void
}

/** One file, judged as soon as it is chosen. Without a script it is an ordinary file field. */
export function FileField({ name, label, hint, rule, children, onFile, ...own }: FileFieldProps) {
  const field = useFormField(name)
  const id = own.id ?? field.id ?? name
  const input = useRef<HTMLInputElement>(null)
  const answer = useActionData()
  const [file, setFile] = useState<Chosen | null>(null)
  // What the browser found, until the server answers the next form.
  const [found, setFound] = useState<{ since: unknown; fault: string | null } | null>(null)
  const say = (fault: string | null) => setFound({ since: answer, fault })
  const sent = own.fault ?? field.fault
  const isFound = found !== null && found.since === answer
  const fault = isFound ? found.fault : sent

  const check = async () => {
    const chosen = input.current?.files?.[0]
    const taken = chosen ? await judge(chosen, rule) : null
    if (!input.current || input.current.files?.[0] !== chosen) return
    say(taken)
    if (taken !== null) input.current.value = ''
    setFile(chosen && taken === null ? { name: chosen.name, bytes: chosen.size } : null)
    if (chosen && taken === null) onFile?.(chosen)
  }
  // A file chosen before this script ran.
  const checkNow = useRef(check)
  useEffect(() => {
    if (input.current?.files?.[0]) void checkNow.current()
  }, [])
  const remove = () => {
    if (!input.current) return
    input.current.value = ''
    setFile(null)
    say(null)
    input.current.focus()
  }
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className={fault ? 'field bad' : 'field'}>
      <label htmlFor={id}>{label ?? field.label}</label>
      <div className="file-drop">
        {children}
        <div className="grow">
          <input
            ref={input}
            type="file"
            id={id}
            name={name}
            accept={rule.accept}
            aria-invalid={fault ? true : undefined}
            aria-describedby={described || undefined}
            onChange={() => void check()}
          />
        </div>
      </div>
      <div className="row wraps">
        <span role="status" className="breaks">
          {file && `${file.name}, ${sizeOf(file.bytes)}`}
        </span>
        {file && (
          <Button look="plain" size="sm" onClick={remove}>
            Remove file
          </Button>
        )}
      </div>
      {file && isLostAnswer(answer) && (
        <p className="small" role="alert">
          The connection was lost. Your input and the file are still here.
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <div role={isFound ? 'alert' : undefined}>
          <Fault id={`${id}-fault`} fault={fault} />
        </div>
      )}
    </div>
  )
}

interface Chosen {
  name: string
  bytes: number
}

/** Reads no more than it needs to see that a file is too large. */
async function judge(file: File, rule: FileRule): Promise<string | null> {
  try {
    return findFileFault(rule, new Uint8Array(await file.slice(0, rule.bytesMax + 1).arrayBuffer()))
  } catch {
    return 'The file can’t be read. Choose another file.'
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000).toLocaleString('en-US')} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
