// What each agent CLI needs to run offline against the scripted model: package, files under HOME, environment, arguments. Every key and
// token in here is made up.

export interface SetupContext {
  /** Base address of the model. */
  base: string;
  /** Working folder of the agent, trusted beforehand. */
  folder: string;
}

export interface Setup {
  /** Kind in herd, and folder of the cache. */
  kind: string;
  /** npm packages with exact versions; the first is the agent. */
  packages: string[];
  bin: string;
  args?: string[];
  env(c: SetupContext): Record<string, string>;
  /** Files below HOME; objects become JSON. */
  files(c: SetupContext): Record<string, string | object>;
  /** Run once in the working folder before the first start. */
  prepare?: (c: SetupContext) => string[];
  /** Requests that are the agent's own turn, where offering tools does not tell. */
  isMain?: (body: Record<string, unknown>) => boolean;
  /** Starts slowly on a busy machine, ms. */
  startLimit?: number;
}

const lastMessage = (body: Record<string, unknown>): string => JSON.stringify((body.messages as unknown[] | undefined)?.at(-1) ?? '');

const OPENAI_COMPATIBLE = (base: string): object => ({
  npm: '@ai-sdk/openai-compatible',
  name: 'Mock',
  options: { baseURL: `${base}/v1`, apiKey: 'made-up' },
  models: { 'mock-1': { name: 'Mock 1', tool_call: true, limit: { context: 128000, output: 8000 } } },
});

/** Pi asks nothing by itself; people add a gate on its extension interface, so the test does too. */
const PI_GATE = `export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    if (!["bash", "write", "edit"].includes(event.toolName)) return;
    const what = event.input.command ?? event.input.path;
    if (String(what).startsWith("herd ")) return;
    const choice = await ctx.ui.select("Allow " + event.toolName + "? " + what, ["Yes", "No"]);
    if (choice !== "Yes") return { block: true, reason: "Blocked by user" };
  });
  pi.registerTool({
    name: "ask_user", label: "Ask user", description: "Ask the user a question",
    parameters: { type: "object", properties: { question: { type: "string" }, options: { type: "array", items: { type: "string" } } }, required: ["question", "options"] },
    async execute(id, p, signal, onUpdate, ctx) {
      const answer = await ctx.ui.select(p.question, p.options);
      return { content: [{ type: "text", text: answer ?? "no answer" }], details: {} };
    },
  });
}
`;

export const SETUPS: Setup[] = [
  {
    kind: 'pi',
    packages: ['@earendil-works/pi-coding-agent@1.6.0'],
    bin: 'pi',
    env: () => ({ PI_SKIP_VERSION_CHECK: '1', PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
    files: (c) => ({
      '.pi/agent/models.json': {
        providers: { mock: { baseUrl: `${c.base}/v1`, api: 'openai-completions', apiKey: 'made-up', models: [{ id: 'mock-1' }] } },
      },
      '.pi/agent/settings.json': { defaultProvider: 'mock', defaultModel: 'mock-1', quietStartup: false },
      '.pi/agent/extensions/gate.ts': PI_GATE,
    }),
  },
  {
    kind: 'codex',
    packages: ['@openai/codex@0.171.0'],
    bin: 'codex',
    args: ['--no-daemon', '--enable', 'default_mode_request_user_input'],
    // It refuses a home below the temporary folder.
    env: () => ({ MOCK_KEY: 'made-up-key', TMPDIR: '/var/tmp' }),
    files: (c) => ({
      '.codex/config.toml': [
        'model = "gpt-5.5"',
        'model_provider = "mock"',
        'check_for_update_on_startup = false',
        'approval_policy = "on-request"',
        'sandbox_mode = "read-only"',
        '[model_providers.mock]',
        'name = "mock"',
        `base_url = "${c.base}/v1"`,
        'env_key = "MOCK_KEY"',
        'wire_api = "responses"',
        '[analytics]',
        'enabled = false',
        '[notice]',
        'hide_full_access_warning = true',
        '[notice.model_migrations]',
        '"gpt-5.5" = "gpt-6-sol"',
        `[projects."${c.folder}"]`,
        'trust_level = "trusted"',
        '',
      ].join('\n'),
    }),
    isMain: (body) =>
      Array.isArray(body.tools) &&
      body.tools.length > 0 &&
      !/Generate a concise, single-line task title/.test(JSON.stringify(body.input ?? '').slice(-1500)),
  },
  {
    kind: 'claude',
    packages: ['@anthropic-ai/claude-code@2.1.332'],
    bin: 'claude',
    args: ['--permission-mode', 'default'],
    env: (c) => ({
      ANTHROPIC_BASE_URL: c.base,
      ANTHROPIC_AUTH_TOKEN: 'made-up-token',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    files: (c) => ({
      '.claude.json': {
        hasCompletedOnboarding: true,
        lastOnboardingVersion: '9.9.9',
        theme: 'dark',
        projects: { [c.folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      },
    }),
  },
  {
    kind: 'opencode',
    packages: ['opencode-ai@1.18.33'],
    bin: 'opencode',
    // With a plugin it tries for 70 s to reach npm before it draws anything.
    startLimit: 180_000,
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }),
    files: (c) => ({
      '.config/opencode/opencode.json': {
        autoupdate: false,
        share: 'disabled',
        model: 'mock/mock-1',
        small_model: 'mock/mock-1',
        provider: { mock: OPENAI_COMPATIBLE(c.base) },
        permission: { bash: 'ask', edit: 'ask' },
      },
    }),
  },
  {
    kind: 'gemini',
    packages: ['@google/gemini-cli@0.61.0'],
    bin: 'gemini',
    startLimit: 90_000,
    env: (c) => ({ GEMINI_API_KEY: 'made-up-key', GOOGLE_GEMINI_BASE_URL: c.base, GEMINI_CLI_DISABLE_AUTOUPDATER: '1' }),
    files: () => ({
      '.gemini/settings.json': {
        general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
        ui: { hideBanner: true, hideTips: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      },
    }),
  },
  {
    kind: 'qwen',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    bin: 'qwen',
    args: ['--approval-mode', 'default'],
    startLimit: 90_000,
    env: (c) => ({ OPENAI_API_KEY: 'made-up-key', OPENAI_BASE_URL: `${c.base}/v1`, OPENAI_MODEL: 'mock-1' }),
    files: () => ({
      '.qwen/settings.json': {
        general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
        ui: { hideBanner: true, hideTips: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      },
    }),
    isMain: (body) =>
      Array.isArray(body.tools) &&
      body.tools.length > 0 &&
      !/Reply with ONLY the suggestion|If nothing durable should be saved/.test(lastMessage(body)),
  },
  {
    kind: 'copilot',
    packages: ['@github/copilot@1.0.102'],
    bin: 'copilot',
    env: (c) => ({
      COPILOT_PROVIDER_BASE_URL: `${c.base}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'made-up',
      COPILOT_MODEL: 'mock-1',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    }),
    files: (c) => ({ '.copilot/config.json': { trusted_folders: [c.folder], banner: 'never' } }),
  },
  {
    kind: 'cline',
    packages: ['cline@3.0.65'],
    bin: 'cline',
    args: ['-i', '--auto-approve', 'false'],
    startLimit: 90_000,
    env: () => ({ CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' }),
    files: () => ({}),
    prepare: (c) => ['cline', 'auth', '-p', 'openai-compatible', '-k', 'made-up', '-b', `${c.base}/v1`, '-m', 'mock-1'],
  },
  {
    kind: 'kilo',
    packages: ['@kilocode/cli-linux-x64@7.7.9'],
    bin: '../@kilocode/cli-linux-x64/bin/kilo',
    // As opencode.
    startLimit: 180_000,
    env: () => ({
      KILO_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      KILO_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    files: (c) => ({
      '.config/kilo/kilo.json': {
        autoupdate: false,
        share: 'disabled',
        model: 'mock/mock-1',
        small_model: 'mock/mock-1',
        provider: { mock: OPENAI_COMPATIBLE(c.base) },
        permission: { bash: 'ask', edit: 'ask' },
      },
    }),
  },
];
