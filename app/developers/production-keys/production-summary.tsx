import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import {
  type ProductionField,
  type ProductionLacks,
  type ProductionStep,
  productionFieldLabels,
  productionSteps,
  stepOfProductionField,
} from '../../../server/contract/workflows/production-key-steps.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Card, Facts } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { KeyData, levelWords } from '../../shared/keys/key-words.tsx'

interface SummaryProps {
  view: Pick<ProductionKeyView, 'draft' | 'practice' | 'practiceSlug'>
  steps: readonly ProductionStep[]
  /** The link or button that edits a step. */
  edit: (step: ProductionStep) => ReactNode
}

/** What will be sent, step by step, each with a way to edit it. */
export function ProductionSummary({ view, steps, edit }: SummaryProps) {
  return (
    <Card id="summary" title="Summary">
      {steps.map((step) => (
        <section className="pad stack tight" key={step} aria-label={productionSteps[step].title}>
          <div className="row between">
            <h3>{productionSteps[step].title}</h3>
            {edit(step)}
          </div>
          <Facts className="facts wide breaks" of={factsOf(view, step)} />
        </section>
      ))}
    </Card>
  )
}

/** Lists what is missing before the request can be sent, with links to the fields. */
export function ProductionGaps({ lacks, form, profile }: GapsProps) {
  const fields = Object.keys(lacks) as ProductionField[]
  if (fields.length === 0 && profile === null) return null
  return (
    <Card padded id="missing" title="Before you can send it">
      <ul className="list">
        {fields.map((field) => (
          <li key={field}>
            <Link to={`${form}?step=${stepOfProductionField(field)}#${field}`}>
              {productionFieldLabels[field]}
            </Link>
            <span className="sub">{lacks[field]}</span>
          </li>
        ))}
        {profile !== null && (
          <li>
            <Link to={profile}>Security profile</Link>
            <span className="sub">Your organization fills it in once. Every request includes it.</span>
          </li>
        )}
      </ul>
    </Card>
  )
}

interface GapsProps {
  lacks: ProductionLacks
  /** The form's path. */
  form: string
  /** The path of the security profile, if it is missing. */
  profile: string | null
}

const notYet = <span className="muted">Not filled in</span>

function factsOf({ draft, practice, practiceSlug }: SummaryProps['view'], step: ProductionStep) {
  switch (step) {
    case 'practice':
      return { [productionFieldLabels.practiceSlug]: practice?.name ?? practiceSlug }
    case 'use': {
      const named = draft.purposes.length > 0 && draft.dataClasses.length > 0
      return {
        [productionFieldLabels.name]: draft.name || notYet,
        [productionFieldLabels.level]: levelWords[draft.level],
        [productionFieldLabels.justification]: draft.justification || notYet,
        'Data and purposes': named ? <KeyData of={draft} /> : notYet,
        [productionFieldLabels.termDays]: `${counted(draft.termDays, 'day')} from the day it is claimed`,
      }
    }
    case 'signing':
      return {
        [productionFieldLabels.signatoryId]:
          [draft.signatoryName, draft.signatoryTitle].filter(Boolean).join(', ') || notYet,
      }
  }
}
