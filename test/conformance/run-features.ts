// Runs features on a host; a case in which the host hangs costs that case and a new start.
import { FEATURES, type Feature } from './features.ts';
import type { HostName } from './hosts.ts';
import { Stage } from './stage.ts';

/** ms for one case, its start excepted. */
const CASE_TIME = 20_000;

/** Names of the cases with their outcome, in order. */
export async function runFeatures(host: HostName, features: readonly Feature[] = FEATURES): Promise<Map<string, boolean>> {
  const outcomes = new Map<string, boolean>();
  let stage = await Stage.open(host);
  for (const feature of features) {
    const worked = await withinTime(feature, stage);
    outcomes.set(feature.name, worked === true);
    if (worked === null) {
      await stage.close();
      stage = await Stage.open(host);
    } else await stage.fresh();
  }
  await stage.close();
  return outcomes;
}

/** Null when it took too long. */
async function withinTime(feature: Feature, stage: Stage): Promise<boolean | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, CASE_TIME, null);
  try {
    return await Promise.race([feature.works(stage), promise]);
  } finally {
    clearTimeout(timer);
  }
}
