import { Form } from '@remix-run/react'
import { fileRules } from '../../../server/contract/forms/files.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { FileField } from '../../components/ui/file-field.tsx'

/** A registration as a JSON file, out and in. */
export function DraftFile({ file }: { file: string | null }) {
  return (
    <Card id="as-file" title="Import and export">
      <div className="pad stack">
        {file && (
          <p>
            <a href={file} download>
              Download as JSON
            </a>
            <span className="small muted"> Without attestations and logo.</span>
          </p>
        )}
        <Form method="post" encType="multipart/form-data" className="stack">
          <FileField name="file" label="Fill in the form from a file" rule={fileRules.registration} />
          <div>
            <SubmitButton look="outline" name="intent" value="import" busy="Importing">
              Import file
            </SubmitButton>
          </div>
        </Form>
      </div>
    </Card>
  )
}
