/** What the query API has beside the published schema, and why. */
export const schemaAdditions: Readonly<Record<string, string>> = {
  'PreviewReference.responsive': 'Older public clients send it.',
  'PreviewReferenceMetadata.responsive': 'Older public clients read it.',
  'RootMutationType.setSandboxAlwaysOn': 'Older public clients call it.',
  'SubscriptionPaymentProvider.PADDLE': 'Older public clients know it.',
  'Team.search': 'The dashboard searches a workspace; the published schema leaves that to a service of its own.',
}
