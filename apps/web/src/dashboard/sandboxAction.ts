/** What people do with sandboxes on the dashboard. */
export type SandboxAction =
  | 'rename'
  | 'copyLink'
  | 'move'
  | 'privacy'
  | 'freeze'
  | 'unfreeze'
  | 'makeTemplate'
  | 'unmakeTemplate'
  | 'delete'
  | 'restore'
  | 'deleteForever'
