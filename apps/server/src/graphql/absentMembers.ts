/** Members of the published schema that have no resolver yet. A member leaves the list with the commit that gives it one. */
export const absentMembers: readonly string[] = []
