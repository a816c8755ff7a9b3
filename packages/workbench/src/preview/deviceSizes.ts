/** Sizes a page can be looked at in, in CSS pixels. */
export const deviceSizes = {
  fill: { name: 'Fill the pane', size: undefined },
  phone: { name: 'Phone, 374 × 812', size: { width: 374, height: 812 } },
  tablet: { name: 'Tablet, 836 × 1112', size: { width: 836, height: 1112 } },
  laptop: { name: 'Laptop, 1440 × 900', size: { width: 1440, height: 900 } },
} as const

export type DeviceName = keyof typeof deviceSizes

export function isDeviceName(name: string): name is DeviceName {
  return name in deviceSizes
}
