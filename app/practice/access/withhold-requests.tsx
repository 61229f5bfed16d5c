import type { Services } from '../../../server/services.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import type { Serialized } from '../../lib/serialized.ts'

type Request = Serialized<Awaited<ReturnType<Services['withholdRequests']['listOpen']>>>[number]

interface RequestsProps {
  requests: readonly Request[]
  mayDecide: boolean
  onceKey: string
}

/** Each is withheld, or declined with a reason that the patient reads. */
export function Requests({ requests, mayDecide, onceKey }: RequestsProps) {
  if (requests.length === 0) return null
  return (
    <Card title="Requests for no further access">
      <ul className="pad list">
        {requests.map((request) => (
          <li key={request.id} className="stack">
            <div>
              <span className="label">{request.name ?? `Patient ID ${request.patientId}`}</span>
              <p className="small muted">
                {request.birthDate && `Born ${request.birthDate}. `}Asked by {request.askedBy},{' '}
                <Moment at={request.createdAt} />
              </p>
            </div>
            {mayDecide && <Decisions request={request} onceKey={onceKey} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Decisions({ request, onceKey }: { request: Request; onceKey: string }) {
  const key = `${onceKey}-${request.id.slice(-6)}`
  const name = request.name ?? request.patientId
  return (
    <div className="row">
      <ActionForm
        className="inline"
        intent="withhold"
        version={0}
        onceKey={key}
        row={{ name: 'patient', id: request.patientId }}
        look="danger"
        busy="Withholding"
        button={
          <>
            Withhold<span className="sr"> {name}</span>
          </>
        }
      >
        <input type="hidden" name="reason" value="The patient requested it in the portal." />
      </ActionForm>
      <ActionForm
        intent="decline"
        version={0}
        onceKey={key}
        label={`Decline the request for ${name}`}
        row={{ name: 'request', id: request.id }}
        folded={
          <>
            Decline<span className="sr"> the request for {name}</span>
          </>
        }
        look="danger"
        busy="Declining"
        button="Decline request"
        reason="Reason"
        reasonHint="10 to 500 characters. The patient gets it by email."
      />
    </div>
  )
}
