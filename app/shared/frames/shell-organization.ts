/** An organization in the sidebar's list. */
export interface ShellOrganization {
  slug: string
  name: string
}
