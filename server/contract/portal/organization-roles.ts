/** Who may do what inside an organization, as a table. */

export const organizationRoles = ['owner', 'admin', 'developer', 'viewer'] as const
export type OrganizationRole = (typeof organizationRoles)[number]

/** Marks a role that a request has read with its session. No form or JSON can have it. */
export const roleRead: unique symbol = Symbol.for('sandpiper.roleRead')

export const roleDescriptions: Record<OrganizationRole, string> = {
  owner: 'Everything, including managing owners. Signs agreements.',
  admin: 'Members, keys and apps. Starts production requests.',
  developer: 'Requests, claims and revokes sandbox keys; views apps.',
  viewer: 'Views keys, apps and activity; changes nothing.',
}

/** The roles a member may give, take away or invite to. */
export const mayGrant: Record<OrganizationRole, readonly OrganizationRole[]> = {
  owner: ['owner', 'admin', 'developer', 'viewer'],
  admin: ['admin', 'developer', 'viewer'],
  developer: [],
  viewer: [],
}

export const mayRename: readonly OrganizationRole[] = ['owner', 'admin']
