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
  /** By default the label that the contract form has for this name. */
  label?: ReactNode
  hint?: ReactNode
  rule: FileRule
  /** The error of the file that was sent. */
  fault?: string | undefined
  /** Shown next to the field, such as the picture that the file replaces. */
  children?: ReactNode
  /** Called with a file that the rule allows. */
  onFile?: (file: File) => void
}

/** A field for one file. With a script, the file is checked as soon as it is chosen. */
export function FileField({ name, label, hint, rule, children, onFile, ...rest }: FileFieldProps) {
  const field = useFormField(name)
  const id = rest.id ?? field.id ?? name
  const input = useRef<HTMLInputElement>(null)
  const answer = useActionData()
  const [file, setFile] = useState<Chosen | null>(null)
  // The result of the check in the browser, shown until the server responds to the next form.
  const [found, setFound] = useState<{ since: unknown; fault: string | null } | null>(null)
  const showFault = (fault: string | null) => setFound({ since: answer, fault })
  const sentFault = rest.fault ?? field.fault
  const isFound = found !== null && found.since === answer
  const fault = isFound ? found.fault : sentFault

  const check = async () => {
    const chosen = input.current?.files?.[0]
    const foundFault = chosen ? await findFault(chosen, rule) : null
    if (!input.current || input.current.files?.[0] !== chosen) return
    showFault(foundFault)
    if (foundFault !== null) input.current.value = ''
    setFile(chosen && foundFault === null ? { name: chosen.name, bytes: chosen.size } : null)
    if (chosen && foundFault === null) onFile?.(chosen)
  }
  // Checks a file that was chosen before this script ran.
  const checkNow = useRef(check)
  useEffect(() => {
    if (input.current?.files?.[0]) void checkNow.current()
  }, [])
  const remove = () => {
    if (!input.current) return
    input.current.value = ''
    setFile(null)
    showFault(null)
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

/** Reads only one byte more than the rule allows: enough to see that a file is too large. */
async function findFault(file: File, rule: FileRule): Promise<string | null> {
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
