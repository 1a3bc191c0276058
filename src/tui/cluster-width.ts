// Cells a grapheme cluster takes in the chrome.
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** 0, 1 or 2 cells. */
export function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && cluster < '\u0300') return cluster < ' ' ? 0 : 1;
  if (ZERO.test(cluster)) return 0;
  return WIDE.test(cluster) ? 2 : 1;
}
