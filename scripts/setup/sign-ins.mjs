/**
 * What `npm start` prints of the file that the seed keeps (seed/demo-people.ts).
 * @param {string} text of demo-sign-ins.json
 * @returns {string[]} lines; none when the file was cut short
 */
export function describeSignIns(text) {
  try {
    /** @type {{ password: string, people: { role: string, email: string, path: string | null }[] }} */
    const { password, people } = JSON.parse(text)
    const firsts = people.filter(
      ({ role }, place) => people.findIndex((each) => each.role === role) === place,
    )
    const lines = firsts.map(
      ({ role, email, path }) => `${role.padEnd(19)}${email.padEnd(42)}${path ?? 'when an app asks'}`,
    )
    const others = people.length - firsts.length
    return [
      `Password for all: ${password}`,
      ...lines,
      ...(others > 0 ? [`and ${others} more patients and clinicians: /docs/sandbox-people`] : []),
    ]
  } catch {
    return []
  }
}

/**
 * The sample apps that the seed registers (seed/demo.ts), and a first FHIR call to type in another terminal.
 * @param {string} fhirOrigin
 * @param {string} [dataDir] as it was given to `npm start`
 * @returns {string[]} lines; none of them holds a credential
 */
export function describeSampleApps(fhirOrigin, dataDir) {
  const variables = dataDir ? `DATA_DIR='${dataDir}' ` : ''
  return [
    'sample-patient-app      asks patients; public, with PKCE',
    'sample-clinician-app    asks clinicians; has a secret',
    'sample-backend-system   reads a whole practice; signs with a key',
    '',
    'A first FHIR call, in another terminal in this folder:',
    '',
    `  FHIR=${fhirOrigin}/r4/sandpiper-demonstration`,
    `  TOKEN=$(${variables}npm run --silent token -- $FHIR)`,
    '  curl "$FHIR/Patient/pt-wren-testwell" -H "Authorization: Bearer $TOKEN"',
  ]
}
