// Runs features on a host; a case in which the host hangs costs that case and a new start.
import type { Feature } from './features.ts';
import type { HostName } from './hosts.ts';
import { Stage } from './stage.ts';

/** ms. */
export interface Limits {
  /** Until something that should have come counts as not coming. */
  patience: number;
  /** For one case, its start excepted. */
  caseTime: number;
}

/** On a machine that does nothing else: many cases are recorded as not working by these. */
export const AT_REST: Limits = { patience: 1500, caseTime: 20_000 };

/** Names of the cases with their outcome, in order. */
export async function runFeatures(host: HostName, features: readonly Feature[], limits: Limits): Promise<Map<string, boolean>> {
  const outcomes = new Map<string, boolean>();
  let stage = await Stage.open(host, limits.patience);
  for (const feature of features) {
    const worked = await withinTime(feature, stage, limits.caseTime);
    outcomes.set(feature.name, worked === true);
    if (worked === null) {
      await stage.close();
      stage = await Stage.open(host, limits.patience);
    } else await stage.fresh();
  }
  await stage.close();
  return outcomes;
}

/** Null when it took too long. */
async function withinTime(feature: Feature, stage: Stage, time: number): Promise<boolean | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, time, null);
  try {
    return await Promise.race([feature.works(stage), promise]);
  } finally {
    clearTimeout(timer);
  }
}
