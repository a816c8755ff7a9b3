import type { Builder } from '../graphql/builder.ts'
import type { subscriptions } from '../database/schema.ts'

export type SubscriptionIntervalValue = 'monthly' | 'yearly'
export type SubscriptionOriginValue = 'legacy' | 'patron' | 'pilot'
export type SubscriptionPaymentProviderValue = 'stripe' | 'paddle'
export type SubscriptionStatusValue =
  'active' | 'cancelled' | 'incomplete' | 'incomplete_expired' | 'paused' | 'trialing' | 'unknown' | 'unpaid'
export type SubscriptionTypeValue = 'personal_pro' | 'team_pro'
export type SubscriptionUpdateMomentValue = 'immediately' | 'next_bill_date'
export type ProSubscriptionRow = typeof subscriptions.$inferSelect
export interface SubscriptionScheduleShape {
  billingInterval: SubscriptionIntervalValue | null
  current: SubscriptionSchedulePhaseShape | null
  upcoming: SubscriptionSchedulePhaseShape | null
}
export interface SubscriptionSchedulePhaseShape {
  endDate: string | null
  items: SubscriptionItemShape[]
  startDate: string | null
}
export interface SubscriptionItemShape {
  name: string
  quantity: number | null
  unitAmount: number | null
  unitAmountDecimal: string | null
}
export interface InvoicePreviewShape {
  total: number
  totalExcludingTax: number | null
  updateMoment: SubscriptionUpdateMomentValue | null
}
export interface BillingPreviewShape {
  immediatePayment: BillingDetailsShape | null
  nextPayment: BillingDetailsShape | null
}
export interface BillingDetailsShape {
  amount: number
  currency: string
  date: string
}
export interface TeamSubscriptionEventShape {
  __typename: 'TeamSubscriptionEvent'
  event: string
  subscription: ProSubscriptionRow
  teamId: string
}
export type TeamEventShape = TeamSubscriptionEventShape

/** The types of this domain, so that others can refer to them before they have fields. */
export function billingTypes(builder: Builder) {
  const subscriptionInterval = builder.enumType('SubscriptionInterval', {
    values: { MONTHLY: { value: 'monthly' }, YEARLY: { value: 'yearly' } } satisfies Record<
      string,
      { value: SubscriptionIntervalValue }
    >,
  })
  const subscriptionOrigin = builder.enumType('SubscriptionOrigin', {
    values: { LEGACY: { value: 'legacy' }, PATRON: { value: 'patron' }, PILOT: { value: 'pilot' } } satisfies Record<
      string,
      { value: SubscriptionOriginValue }
    >,
  })
  const subscriptionPaymentProvider = builder.enumType('SubscriptionPaymentProvider', {
    values: { STRIPE: { value: 'stripe' }, PADDLE: { value: 'paddle' } } satisfies Record<
      string,
      { value: SubscriptionPaymentProviderValue }
    >,
  })
  const subscriptionStatus = builder.enumType('SubscriptionStatus', {
    values: {
      ACTIVE: { value: 'active' },
      CANCELLED: { value: 'cancelled' },
      INCOMPLETE: { value: 'incomplete' },
      INCOMPLETE_EXPIRED: { value: 'incomplete_expired' },
      PAUSED: { value: 'paused' },
      TRIALING: { value: 'trialing' },
      UNKNOWN: { value: 'unknown' },
      UNPAID: { value: 'unpaid' },
    } satisfies Record<string, { value: SubscriptionStatusValue }>,
  })
  const subscriptionType = builder.enumType('SubscriptionType', {
    values: { PERSONAL_PRO: { value: 'personal_pro' }, TEAM_PRO: { value: 'team_pro' } } satisfies Record<
      string,
      { value: SubscriptionTypeValue }
    >,
  })
  const subscriptionUpdateMoment = builder.enumType('SubscriptionUpdateMoment', {
    values: { IMMEDIATELY: { value: 'immediately' }, NEXT_BILL_DATE: { value: 'next_bill_date' } } satisfies Record<
      string,
      { value: SubscriptionUpdateMomentValue }
    >,
  })
  const proSubscription = builder.objectRef<ProSubscriptionRow>('ProSubscription')
  const subscriptionSchedule = builder.objectRef<SubscriptionScheduleShape>('SubscriptionSchedule')
  const subscriptionSchedulePhase = builder.objectRef<SubscriptionSchedulePhaseShape>('SubscriptionSchedulePhase')
  const subscriptionItem = builder.objectRef<SubscriptionItemShape>('SubscriptionItem')
  const invoicePreview = builder.objectRef<InvoicePreviewShape>('InvoicePreview')
  const billingPreview = builder.objectRef<BillingPreviewShape>('BillingPreview')
  const billingDetails = builder.objectRef<BillingDetailsShape>('BillingDetails')
  const teamSubscriptionEvent = builder.objectRef<TeamSubscriptionEventShape>('TeamSubscriptionEvent')
  const teamEvent = builder.unionType('TeamEvent', {
    types: [teamSubscriptionEvent],
    resolveType: ({ __typename }) => __typename,
  })
  return {
    subscriptionInterval,
    subscriptionOrigin,
    subscriptionPaymentProvider,
    subscriptionStatus,
    subscriptionType,
    subscriptionUpdateMoment,
    proSubscription,
    subscriptionSchedule,
    subscriptionSchedulePhase,
    subscriptionItem,
    invoicePreview,
    billingPreview,
    billingDetails,
    teamSubscriptionEvent,
    teamEvent,
  }
}
