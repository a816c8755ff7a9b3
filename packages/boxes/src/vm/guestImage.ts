/** What every guest of one kind boots from. All of it is read-only and shared. */
export interface GuestImage {
  /** Names the content. */
  hash: string
  kernel: string
  initrd: string
  /** The system: an ext4 image without partitions. */
  root: string
}
