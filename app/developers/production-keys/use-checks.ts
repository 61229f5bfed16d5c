/** Checks of the step as it is typed, by the schema that it must pass in the end: only of what somebody touched. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toStepInput } from '../../../server/contract/forms/step-forms.ts'
import {
  findProductionLacks,
  type ProductionField,
  type ProductionLacks,
} from '../../../server/contract/workflows/production-key-steps.ts'

const checkAfterMs = 600

export function useChecks(answered: ProductionLacks) {
  const touched = useRef(new Set<ProductionField>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [checked, setChecked] = useState<ReadonlyMap<ProductionField, string | undefined>>(new Map())
  useEffect(() => () => clearTimeout(timer.current), [])

  const check = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const { name } = event.target as HTMLInputElement
    touched.current.add(name as ProductionField)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const lacks = findProductionLacks(toStepInput(new FormData(form)))
      setChecked(new Map([...touched.current].map((field) => [field, lacks[field]])))
    }, checkAfterMs)
  }

  const faults = { ...answered, ...Object.fromEntries(checked) } as ProductionLacks
  return { check, faults }
}
