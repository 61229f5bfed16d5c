import { useActionData, useNavigation } from '@remix-run/react'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type FileRule, findFileFault } from '../../../server/contract/forms/files.ts'
import { useFormField } from '../../lib/form-answer.ts'
import { isLostAnswer, isUnsentAnswer } from '../../lib/lost-connection.ts'
import { type Upload, useUpload } from '../../lib/upload.ts'
import { Fault } from './form.tsx'
import { Button } from './page-parts.tsx'
import { Progress } from './progress.tsx'

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

/** One file, chosen or dropped. Without a script it is an ordinary file field. */
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
  const dropping = useDrop(input, say)

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
      <div className="file-drop" data-over={dropping.isOver || undefined} {...dropping.handlers}>
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
          <p className="hint needs-script">Or drop it here.</p>
        </div>
      </div>
      <FileState name={name} file={file} onRemove={remove} input={input} />
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

type Input = React.RefObject<HTMLInputElement>

/** A drop is a choice of the field; one that the field can't take leaves the choice as it was. */
function useDrop(input: Input, refuse: (fault: string) => void) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // A file dropped next to the field would take the place of the page, and of what was typed.
    const stay = (event: globalThis.DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      const isField = event.target instanceof Element && event.target.closest('.file-drop') !== null
      if (!isField) event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', stay)
    window.addEventListener('drop', stay)
    return () => {
      window.removeEventListener('dragover', stay)
      window.removeEventListener('drop', stay)
    }
  }, [])
  const drop = ({ dataTransfer }: DragEvent) => {
    setOver(false)
    const items = [...dataTransfer.items].filter(({ kind }) => kind === 'file')
    if (items.length === 0 || !input.current) return
    if (items.length > 1) return refuse('Drop one file only.')
    if (items[0]?.webkitGetAsEntry()?.isDirectory) return refuse('Drop a file, not a folder.')
    input.current.files = dataTransfer.files
    for (const type of ['input', 'change']) input.current.dispatchEvent(new Event(type, { bubbles: true }))
  }
  return {
    isOver,
    handlers: { onDragOver: () => setOver(true), onDragLeave: () => setOver(false), onDrop: drop },
  }
}

interface StateProps {
  name: string
  file: Chosen | null
  onRemove: () => void
  input: Input
}

/** What is chosen, and how far it is sent. */
function FileState({ name, file, onRemove, input }: StateProps) {
  const upload = useUpload()
  const navigation = useNavigation()
  const answer = useActionData()
  const submitter = useSubmitter(input)
  const isSending = navigation.formData?.get(name) instanceof File && upload !== null
  return (
    <>
      <div className="row wraps">
        <span role="status" className="breaks">
          {file && `${file.name}, ${sizeOf(file.bytes)}`}
        </span>
        {file && !isSending && (
          <Button look="plain" size="sm" onClick={onRemove}>
            Remove file
          </Button>
        )}
      </div>
      {file && isSending && <FileProgress file={file.name} {...upload} />}
      {file && !isSending && isUnsentAnswer(answer) && (
        <UnsentFile
          isLost={isLostAnswer(answer)}
          onAgain={() => input.current?.form?.requestSubmit(submitter.current)}
        />
      )}
    </>
  )
}

/** The button that sent the form last. */
function useSubmitter(input: Input) {
  const submitter = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const form = input.current?.form
    const note = (event: SubmitEvent) => {
      submitter.current = event.submitter
    }
    form?.addEventListener('submit', note)
    return () => form?.removeEventListener('submit', note)
  }, [input])
  return submitter
}

/** How far a file is sent. */
function FileProgress({ file, sentBytes, bytes, cancel }: Upload & { file: string }) {
  const isSent = sentBytes >= bytes
  return (
    <div className="stack tight">
      <Progress label={`Sending ${file}`} done={inKilobytes(sentBytes)} of={inKilobytes(bytes)} unit="kB" />
      <div className="row">
        <span className="small muted" role="status">
          {isSent ? 'Sent. Checking the file.' : `Sending ${file}.`}
        </span>
        <Button size="sm" onClick={cancel}>
          Cancel sending
        </Button>
      </div>
    </div>
  )
}

interface UnsentProps {
  /** The connection, not the person, ended it. */
  isLost: boolean
  onAgain: () => void
}

/** The form was not sent to its end: everything is still in it. */
function UnsentFile({ isLost, onAgain }: UnsentProps) {
  return (
    <div className="row" role="alert">
      <span className="small">
        {isLost ? 'The connection was lost. ' : 'Sending was canceled. '}
        Your input and the file are still here.
      </span>
      <Button size="sm" onClick={onAgain}>
        Send again
      </Button>
    </div>
  )
}

const inKilobytes = (bytes: number) => Math.ceil(bytes / 1_000)

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${inKilobytes(bytes).toLocaleString('en-US')} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
