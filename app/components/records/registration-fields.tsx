import { Link } from '@remix-run/react'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/paths.ts'
import {
  attestations,
  fieldLabels,
  logoLimits,
  type RegistrationField,
  type RegistrationForm,
} from '../../../server/contract/registration-form.ts'
import { Card } from '../ui/card.tsx'
import { FieldFault } from '../ui/text-warning.tsx'

type FieldFaults = Partial<Record<RegistrationField, string>>

interface FieldsProps {
  form: RegistrationForm
  faults: FieldFaults
  /** Where scopes are chosen; null before the first save. */
  studio?: string | null
}

/** The sections of a registration, in the order of the schema. Plain fields: they work without a script. */
export function RegistrationFields(props: FieldsProps) {
  const { form, faults } = props
  return (
    <>
      <Section title="The app">
        <Text {...props} name="name" hint="As people see it when they are asked." />
        <Area
          {...props}
          name="description"
          rows={4}
          hint="What it does, and for whom. Nothing about real people."
        />
        <Logo form={form} fault={faults.logo} />
        <Text {...props} name="website" mono hint="A complete https address." />
        <Text {...props} name="privacyUrl" mono />
        <Text {...props} name="termsUrl" mono />
      </Section>
      <Section title="Contacts">
        <Text {...props} name="technicalContact" hint="We write here about this request." />
        <Text {...props} name="securityContact" hint="We write here when an incident concerns the app." />
      </Section>
      <Section title="Kind of app">
        <Options
          {...props}
          name="audience"
          options={[
            ['patient', 'Patients', 'They sign in and choose what the app may read of their record.'],
            ['clinician', 'Clinicians', 'They sign in, or open it from the EHR.'],
            ['backend', 'No person: a backend system', 'A practice authorizes it; it signs in by itself.'],
          ]}
        />
        <Options
          {...props}
          name="clientType"
          options={[
            ['none', 'Public, with PKCE', 'In a browser or on a device: it can keep no secret.'],
            [
              'private_key_jwt',
              'Signs its requests',
              'With a private key on a server; the public keys stand below.',
            ],
            ['client_secret_basic', 'Has a secret', 'On a server of yours. We make it; you see it once.'],
          ]}
        />
      </Section>
      <Section title="Addresses and keys">
        <Area
          {...props}
          name="redirectUris"
          rows={3}
          mono
          hint="One a line, exactly as they are used. Https, http://127.0.0.1, or a scheme that is your domain backwards."
        />
        <Text
          {...props}
          name="launchUrl"
          mono
          hint="What an EHR opens. Leave it empty for apps that people open by themselves."
        />
        <Text {...props} name="jwksUrl" mono hint="For apps that sign: where the public keys are served." />
        <Area {...props} name="jwks" rows={3} mono hint="Or the key set itself. Public parts only." />
      </Section>
      <Section title="Scopes">
        <Area
          {...props}
          name="scope"
          rows={3}
          mono
          hint="Choose them in the scope studio, which shows what people will be asked; or write them here, with spaces between."
        />
        {props.studio ? (
          <p>
            <Link to={props.studio}>Open the scope studio</Link>. Save first what you changed here.
          </p>
        ) : (
          <p className="small muted">The scope studio opens once the draft is saved.</p>
        )}
      </Section>
      <Section title="Attestations">
        {(Object.keys(attestations) as (keyof typeof attestations)[]).map((name) => (
          <label className="check" key={name}>
            <input type="checkbox" name={name} id={name} defaultChecked={form[name]} />
            <span>{attestations[name]}</span>
          </label>
        ))}
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = `section-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <Card id={id} title={title}>
      <div className="pad stack gap-6">{children}</div>
    </Card>
  )
}

interface FieldProps extends FieldsProps {
  name: RegistrationField
  hint?: string
}

function Around({ name, faults, hint, children }: FieldProps & { children: ReactNode }) {
  const fault = faults[name]
  return (
    <div className={fault ? 'field bad' : 'field'}>
      <label htmlFor={name}>{fieldLabels[name]}</label>
      {children}
      {hint && (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldFault field={name} fault={fault} id={`${name}-error`} />
    </div>
  )
}

function ariaOf({ name, faults, hint }: FieldProps) {
  const ids = [hint ? `${name}-hint` : '', faults[name] ? `${name}-error` : ''].filter(Boolean).join(' ')
  return { 'aria-describedby': ids || undefined, 'aria-invalid': faults[name] ? true : undefined } as const
}

function Text(props: FieldProps & { mono?: boolean }) {
  const { form, name, mono } = props
  return (
    <Around {...props}>
      <input
        className={mono ? 'input mono' : 'input'}
        id={name}
        name={name}
        defaultValue={String(form[name])}
        autoComplete="off"
        spellCheck={mono ? false : undefined}
        {...ariaOf(props)}
      />
    </Around>
  )
}

function Area(props: FieldProps & { rows: number; mono?: boolean }) {
  const { form, name, rows, mono } = props
  const value = form[name]
  return (
    <Around {...props}>
      <textarea
        className={mono ? 'input mono' : 'input'}
        id={name}
        name={name}
        rows={rows}
        defaultValue={Array.isArray(value) ? value.join('\n') : String(value)}
        spellCheck={mono ? false : undefined}
        {...ariaOf(props)}
      />
    </Around>
  )
}

function Options({
  form,
  faults,
  name,
  options,
}: FieldProps & { options: readonly (readonly [value: string, label: string, sub: string])[] }) {
  return (
    <fieldset className={faults[name] ? 'choices check-bad' : 'choices'}>
      <legend>{fieldLabels[name]}</legend>
      {options.map(([value, label, sub], place) => (
        <label className="check" key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            id={place === 0 ? name : `${name}-${value}`}
            defaultChecked={form[name] === value}
          />
          <span>
            {label}
            <span className="sub">{sub}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Logo({ form, fault }: { form: RegistrationForm; fault: string | undefined }) {
  return (
    <div className={fault ? 'field bad' : 'field'}>
      <label htmlFor="logo">{fieldLabels.logo}</label>
      <div className="row">
        {form.logo && <img className="logo" src={paths.logo(form.logo)} alt="The present logo" />}
        <input
          className="input grow"
          type="file"
          id="logo"
          name="logoFile"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={fault ? 'logo-hint logo-error' : 'logo-hint'}
        />
      </div>
      <input type="hidden" name="logo" value={form.logo} />
      <p className="hint" id="logo-hint">
        PNG, JPEG or WebP, at most {logoLimits.bytesMax / 1_024} kB. We draw it anew, {logoLimits.side} pixels
        at most.
      </p>
      {fault && (
        <p className="err" id="logo-error">
          <TriangleAlert className="i" />
          {fault}
        </p>
      )}
    </div>
  )
}
