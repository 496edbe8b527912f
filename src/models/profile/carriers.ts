/** The thread group of carriers, which run virtual threads, as the JVM names it. */
export const CARRIER_GROUP = 'CarrierThreads';
