/** The parts of a CapabilityStatement that the query builder needs, https://hl7.org/fhir/R4/capabilitystatement.html */

export interface CapabilityParameter {
  readonly name: string
  /** A code of https://hl7.org/fhir/R4/valueset-search-param-type.html */
  readonly type: string
}

export interface CapabilityType {
  readonly type: string
  readonly parameters: readonly CapabilityParameter[]
  readonly includes: readonly string[]
  readonly revIncludes: readonly string[]
  /** Operation names without `$`. */
  readonly operations: readonly string[]
  /** Parameters that go together in one search. */
  readonly combinations: readonly (readonly string[])[]
}

interface Statement {
  rest?: {
    resource?: {
      type: string
      searchParam?: { name: string; type: string }[]
      searchInclude?: string[]
      searchRevInclude?: string[]
      operation?: { name: string }[]
      extension?: { url: string; extension?: { url: string; valueString?: string }[] }[]
    }[]
  }[]
}

/** @param statement the parsed response */
export function readCapability(statement: unknown): readonly CapabilityType[] {
  const [rest] = (statement as Statement).rest ?? []
  return (rest?.resource ?? []).map((resource) => ({
    type: resource.type,
    parameters: (resource.searchParam ?? []).map(({ name, type }) => ({ name, type })),
    includes: resource.searchInclude ?? [],
    revIncludes: resource.searchRevInclude ?? [],
    operations: (resource.operation ?? []).map(({ name }) => name),
    combinations: (resource.extension ?? [])
      .filter(({ url }) => url.endsWith('/capabilitystatement-search-parameter-combination'))
      .map(({ extension = [] }) =>
        extension.filter(({ url }) => url === 'required').map(({ valueString = '' }) => valueString),
      ),
  }))
}
