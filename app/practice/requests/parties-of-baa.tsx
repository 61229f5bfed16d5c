import { useState } from 'react'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Field, Select } from '../../components/ui/field.tsx'
import { useHydrated } from '../../components/ui/hydrated.ts'

interface PartiesProps {
  view: Pick<ProductionKeyView, 'signers' | 'partyBefore' | 'practice'>
  /** The admin who confirms. */
  you: { name: string; email: string }
}

/** Who signs the BAA, and what it says about the practice: filled in as it was the last time. */
export function PartiesOfBaa({ view: { signers, partyBefore, practice }, you }: PartiesProps) {
  const known = signers.some(({ id }) => id === partyBefore?.signatoryId) ? partyBefore : null
  const [signerId, setSignerId] = useState(known?.signatoryId ?? signers[0]?.id)
  // Without a script the name would stay that of the first signer when another is chosen.
  const isHydrated = useHydrated()
  const isKnown = signerId === known?.signatoryId
  const name = isHydrated ? signers.find(({ id }) => id === signerId)?.name : undefined
  return (
    <>
      <div className="grid g2 gap-4">
        <div onChange={({ target }) => target instanceof HTMLSelectElement && setSignerId(target.value)}>
          <Select
            name="signatoryId"
            label="Signatory of the BAA for the practice"
            value={known?.signatoryId}
            options={signers.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
        <Field
          key={`name ${signerId} ${isHydrated}`}
          name="signatoryName"
          value={isKnown ? known?.signatoryName : name}
          label="Their legal name"
        />
        <Field
          key={`title ${isKnown}`}
          name="signatoryTitle"
          value={isKnown ? known?.signatoryTitle : undefined}
          label="Their title"
        />
        <Field
          name="legalName"
          value={partyBefore?.legalName ?? practice?.name}
          label="Practice’s legal name"
        />
        <Field name="address" value={partyBefore?.address} label="Practice’s address" />
        <Field name="contactName" value={partyBefore?.contactName ?? you.name} label="Agreement contact" />
        <Field
          name="contactEmail"
          value={partyBefore?.contactEmail ?? you.email}
          label="Contact’s email address"
          type="email"
        />
      </div>
    </>
  )
}
