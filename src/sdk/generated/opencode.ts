/** What opencode 1.18.33 sends, as recorded. Made by "npm run sdk:types". */

export interface OpencodeCatalogUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    sessionID?: unknown
  }
  type?: string
}

export interface OpencodeChatHeaders {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: {
    agent?: string
    message?: Record<string, unknown>
    model?: Record<string, unknown>
    provider?: Record<string, unknown>
    sessionID?: string
  }
  output?: {
    headers?: Record<string, unknown>
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeChatMessage {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    agent?: string
    messageID?: string
    model?: Record<string, unknown>
    sessionID?: string
    variant?: unknown
  }
  output?: {
    message?: Record<string, unknown>
    parts?: unknown[]
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeChatParams {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: {
    agent?: string
    message?: Record<string, unknown>
    model?: Record<string, unknown>
    provider?: Record<string, unknown>
    sessionID?: string
  }
  output?: {
    maxOutputTokens?: number
    options?: Record<string, unknown>
    temperature?: unknown
    topK?: unknown
    topP?: unknown
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeCommandExecuteBefore {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeCommandExecuted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeDispose {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  sessionID?: string
  type?: unknown
}

export interface OpencodeExperimentalChatMessagesTransform {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: Record<string, unknown>
  output?: {
    messages?: unknown[]
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeExperimentalChatSystemTransform {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: {
    model?: Record<string, unknown>
    sessionID?: string
  }
  output?: {
    system?: unknown[]
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeExperimentalCompactionAutocontinue {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeExperimentalSessionCompacting {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    sessionID?: string
  }
  output?: {
    context?: unknown[]
    prompt?: unknown
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeExperimentalTextComplete {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    messageID?: string
    partID?: string
    sessionID?: string
  }
  output?: {
    text?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeFileEdited {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    file?: string
    sessionID?: unknown
  }
  type?: string
}

export interface OpencodeFileWatcherUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    event?: string
    file?: string
    sessionID?: unknown
  }
  type?: string
}

export interface OpencodeGlobalDisposed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeInstallationUpdateAvailable {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeInstallationUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeIntegrationConnectionUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeIntegrationUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    sessionID?: unknown
  }
  type?: string
}

export interface OpencodeLspClientDiagnostics {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeLspUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeMcpBrowserOpenFailed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeMcpToolsChanged {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeMessagePartDelta {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    delta?: string
    field?: string
    messageID?: string
    partID?: string
    sessionID?: string
  }
  type?: string
}

export interface OpencodeMessagePartRemoved {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeMessagePartUpdated {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    part: {
      auto?: boolean
      callID?: string
      cost?: number
      files?: string[]
      hash?: string
      id: string
      messageID: string
      reason?: string
      sessionID: string
      snapshot?: string
      state?: Record<string, unknown>
      synthetic?: boolean
      text?: string
      time?: {
        end?: number
        start: number
      }
      tokens?: {
        cache: {
          read: number
          write: number
        }
        input: number
        output: number
        reasoning: number
        total: number
      }
      tool?: string
      type: string
    }
    sessionID: string
    time: number
  }
  type?: string
}

export interface OpencodeMessageRemoved {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeMessageUpdated {
  agentType?: string
  contextWindow?: number
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    info: {
      agent: string
      cost?: number
      error?: Record<string, unknown>
      finish?: string
      id: string
      mode?: string
      model?: Record<string, unknown>
      modelID?: string
      parentID?: string
      path?: {
        cwd: string
        root: string
      }
      providerID?: string
      role: string
      sessionID: string
      summary?: unknown
      time: {
        completed?: number
        created: number
      }
      tokens?: {
        cache: {
          read: number
          write: number
        }
        input: number
        output: number
        reasoning: number
        total?: number
      }
    }
    sessionID: string
  }
  type?: string
}

export interface OpencodeModelsDevRefreshed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodePermissionAsked {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    always?: string[]
    id?: string
    metadata?: Record<string, unknown>
    patterns?: string[]
    permission?: string
    sessionID?: string
    tool?: {
      callID?: string
      messageID?: string
    }
  }
  type?: string
}

export interface OpencodePermissionReplied {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    reply?: string
    requestID?: string
    sessionID?: string
  }
  type?: string
}

export interface OpencodePermissionV2Asked {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodePermissionV2Replied {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodePluginAdded {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    id: string
    sessionID?: unknown
  }
  type?: string
}

export interface OpencodePluginInit {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  directory?: string
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  project?: Record<string, unknown>
  prompted?: unknown
  properties?: unknown
  serverUrl?: string
  type?: unknown
  worktree?: string
}

export interface OpencodeProjectDirectoriesUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeProjectUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodePtyCreated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodePtyDeleted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodePtyExited {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodePtyUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeQuestionAsked {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    id?: string
    questions?: ({
      header?: string
      options?: ({
        description?: string
        label?: string
      })[]
      question?: string
    })[]
    sessionID?: string
    tool?: {
      callID?: string
      messageID?: string
    }
  }
  type?: string
}

export interface OpencodeQuestionRejected {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeQuestionReplied {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    answers?: string[][]
    requestID?: string
    sessionID?: string
  }
  type?: string
}

export interface OpencodeQuestionV2Asked {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeQuestionV2Rejected {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeQuestionV2Replied {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeReferenceUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    sessionID?: unknown
  }
  type?: string
}

export interface OpencodeServerConnected {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeServerInstanceDisposed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionCompacted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    sessionID?: string
  }
  type?: string
}

export interface OpencodeSessionCreated {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: boolean
  properties?: {
    info?: {
      agent?: string
      cost?: number
      directory?: string
      id?: string
      model?: Record<string, unknown>
      parentID?: string
      path?: string
      permission?: unknown[]
      projectID?: string
      slug?: string
      time?: {
        created?: number
        updated?: number
      }
      title?: string
      tokens?: {
        cache?: {
          read?: number
          write?: number
        }
        input?: number
        output?: number
        reasoning?: number
      }
      version?: string
    }
    sessionID?: string
  }
  type?: string
}

export interface OpencodeSessionDeleted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionDiff {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    diff: unknown[]
    sessionID: string
  }
  type?: string
}

export interface OpencodeSessionDrained {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionError {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    error?: Record<string, unknown>
    sessionID?: string
  }
  type?: string
}

export interface OpencodeSessionIdle {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    sessionID?: string
  }
  type?: string
}

export interface OpencodeSessionNextAgentSwitched {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextCompactionDelta {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextCompactionEnded {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextCompactionStarted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextContextUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextModelSwitched {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextMoved {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextPromptAdmitted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextPrompted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextReasoningDelta {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextReasoningEnded {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextReasoningStarted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextRetried {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextRevertCleared {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextRevertCommitted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextRevertStaged {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextShellEnded {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextShellStarted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextStepEnded {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextStepFailed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextStepStarted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextSynthetic {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextTextDelta {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextTextEnded {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextTextStarted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextToolCalled {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextToolFailed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextToolInputDelta {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextToolInputEnded {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextToolInputStarted {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextToolProgress {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionNextToolSuccess {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeSessionResumed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    info?: {
      agent?: string
      cost?: number
      directory?: string
      id?: string
      model?: Record<string, unknown>
      path?: string
      projectID?: string
      slug?: string
      summary?: unknown
      time?: {
        created?: number
        updated?: number
      }
      title?: string
      tokens?: {
        cache?: {
          read?: number
          write?: number
        }
        input?: number
        output?: number
        reasoning?: number
      }
      version?: string
    }
    sessionID?: string
  }
  type?: string
}

export interface OpencodeSessionStatus {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    sessionID: string
    status: Record<string, unknown>
  }
  type?: string
}

export interface OpencodeSessionUpdated {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    info: {
      agent: string
      cost: number
      directory: string
      id: string
      model: Record<string, unknown>
      parentID?: string
      path: string
      permission?: unknown[]
      projectID: string
      slug: string
      summary?: unknown
      time: {
        created: number
        updated: number
      }
      title: string
      tokens: {
        cache: {
          read: number
          write: number
        }
        input: number
        output: number
        reasoning: number
      }
      version: string
    }
    sessionID: string
  }
  type?: string
}

export interface OpencodeShellEnv {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: {
    callID?: string
    cwd?: string
    sessionID?: string
  }
  output?: {
    env?: Record<string, unknown>
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeTodoUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    sessionID?: string
    todos?: ({
      content?: string
      priority?: string
      status?: string
    })[]
  }
  type?: string
}

export interface OpencodeToolDefinition {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: {
    toolID: string
  }
  output?: {
    description: string
    jsonSchema?: Record<string, unknown>
    parameters: Record<string, unknown>
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteAfter {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: Record<string, unknown>
    callID?: string
    sessionID?: string
    tool?: string
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBefore {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: string
  }
  output?: {
    args?: Record<string, unknown>
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeTuiCommandExecute {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeTuiPromptAppend {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeTuiSessionSelect {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeTuiToastShow {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeVcsBranchUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeWorkspaceFailed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeWorkspaceReady {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeWorkspaceStatus {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeWorktreeFailed {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeWorktreeReady {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeMessagePartUpdatedBash {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    part: {
      auto?: boolean
      callID?: string
      cost?: number
      files?: string[]
      hash?: string
      id: string
      messageID: string
      reason?: string
      sessionID: string
      snapshot?: string
      state?: Record<string, unknown>
      synthetic?: boolean
      text?: string
      time?: {
        end?: number
        start: number
      }
      tokens?: {
        cache: {
          read: number
          write: number
        }
        input: number
        output: number
        reasoning: number
        total: number
      }
      tool?: string
      type: string
    }
    sessionID: string
    time: number
  }
  type?: string
}

export interface OpencodeMessagePartUpdatedRead {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    part: {
      auto?: boolean
      callID?: string
      cost?: number
      files?: string[]
      hash?: string
      id: string
      messageID: string
      reason?: string
      sessionID: string
      snapshot?: string
      state?: Record<string, unknown>
      synthetic?: boolean
      text?: string
      time?: {
        end?: number
        start: number
      }
      tokens?: {
        cache: {
          read: number
          write: number
        }
        input: number
        output: number
        reasoning: number
        total: number
      }
      tool?: string
      type: string
    }
    sessionID: string
    time: number
  }
  type?: string
}

export interface OpencodePermissionAskedBash {
  agentType?: string
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: string
  prompted?: unknown
  properties?: {
    always?: string[]
    id?: string
    metadata?: Record<string, unknown>
    patterns?: string[]
    permission?: string
    sessionID?: string
    tool?: {
      callID?: string
      messageID?: string
    }
  }
  type?: string
}

export interface OpencodeQuestionAskedQuestion {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    id?: string
    questions?: ({
      header?: string
      options?: ({
        description?: string
        label?: string
      })[]
      question?: string
    })[]
    sessionID?: string
    tool?: {
      callID?: string
      messageID?: string
    }
  }
  type?: string
}

export interface OpencodeToolExecuteAfterBash {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: {
      command?: string
      description?: string
    }
    callID?: string
    sessionID?: string
    tool?: "bash"
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteAfterEdit {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: {
      filePath?: string
      newString?: string
      oldString?: string
    }
    callID?: string
    sessionID?: string
    tool?: "edit"
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteAfterQuestion {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: {
      questions?: ({
        header?: string
        options?: ({
          description?: string
          label?: string
        })[]
        question?: string
      })[]
    }
    callID?: string
    sessionID?: string
    tool?: "question"
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteAfterRead {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: {
      filePath?: string
    }
    callID?: string
    sessionID?: string
    tool?: "read"
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteAfterTask {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: {
      description?: string
      prompt?: string
      subagent_type?: string
    }
    callID?: string
    sessionID?: string
    tool?: "task"
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteAfterTodowrite {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: {
      todos?: ({
        content?: string
        id?: string
        priority?: string
        status?: string
      })[]
    }
    callID?: string
    sessionID?: string
    tool?: "todowrite"
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteAfterWrite {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    args?: {
      content?: string
      filePath?: string
    }
    callID?: string
    sessionID?: string
    tool?: "write"
  }
  output?: {
    metadata?: Record<string, unknown>
    output?: string
    title?: string
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBeforeBash {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: "bash"
  }
  output?: {
    args?: {
      command?: string
      description?: string
    }
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBeforeEdit {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: "edit"
  }
  output?: {
    args?: {
      filePath?: string
      newString?: string
      oldString?: string
    }
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBeforeQuestion {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: "question"
  }
  output?: {
    args?: {
      questions?: ({
        header?: string
        options?: ({
          description?: string
          label?: string
        })[]
        question?: string
      })[]
    }
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBeforeRead {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: "read"
  }
  output?: {
    args?: {
      filePath?: string
    }
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBeforeTask {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: "task"
  }
  output?: {
    args?: {
      description?: string
      prompt?: string
      subagent_type?: string
    }
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBeforeTodowrite {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: "todowrite"
  }
  output?: {
    args?: {
      todos?: ({
        content?: string
        id?: string
        priority?: string
        status?: string
      })[]
    }
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface OpencodeToolExecuteBeforeWrite {
  agentType?: string
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    callID?: string
    sessionID?: string
    tool?: "write"
  }
  output?: {
    args?: {
      content?: string
      filePath?: string
    }
  }
  parentID?: string
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

/** Any of them. */
export type OpencodePayload =
  | OpencodeCatalogUpdated
  | OpencodeChatHeaders
  | OpencodeChatMessage
  | OpencodeChatParams
  | OpencodeCommandExecuteBefore
  | OpencodeCommandExecuted
  | OpencodeDispose
  | OpencodeExperimentalChatMessagesTransform
  | OpencodeExperimentalChatSystemTransform
  | OpencodeExperimentalCompactionAutocontinue
  | OpencodeExperimentalSessionCompacting
  | OpencodeExperimentalTextComplete
  | OpencodeFileEdited
  | OpencodeFileWatcherUpdated
  | OpencodeGlobalDisposed
  | OpencodeInstallationUpdateAvailable
  | OpencodeInstallationUpdated
  | OpencodeIntegrationConnectionUpdated
  | OpencodeIntegrationUpdated
  | OpencodeLspClientDiagnostics
  | OpencodeLspUpdated
  | OpencodeMcpBrowserOpenFailed
  | OpencodeMcpToolsChanged
  | OpencodeMessagePartDelta
  | OpencodeMessagePartRemoved
  | OpencodeMessagePartUpdated
  | OpencodeMessageRemoved
  | OpencodeMessageUpdated
  | OpencodeModelsDevRefreshed
  | OpencodePermissionAsked
  | OpencodePermissionReplied
  | OpencodePermissionV2Asked
  | OpencodePermissionV2Replied
  | OpencodePluginAdded
  | OpencodePluginInit
  | OpencodeProjectDirectoriesUpdated
  | OpencodeProjectUpdated
  | OpencodePtyCreated
  | OpencodePtyDeleted
  | OpencodePtyExited
  | OpencodePtyUpdated
  | OpencodeQuestionAsked
  | OpencodeQuestionRejected
  | OpencodeQuestionReplied
  | OpencodeQuestionV2Asked
  | OpencodeQuestionV2Rejected
  | OpencodeQuestionV2Replied
  | OpencodeReferenceUpdated
  | OpencodeServerConnected
  | OpencodeServerInstanceDisposed
  | OpencodeSessionCompacted
  | OpencodeSessionCreated
  | OpencodeSessionDeleted
  | OpencodeSessionDiff
  | OpencodeSessionDrained
  | OpencodeSessionError
  | OpencodeSessionIdle
  | OpencodeSessionNextAgentSwitched
  | OpencodeSessionNextCompactionDelta
  | OpencodeSessionNextCompactionEnded
  | OpencodeSessionNextCompactionStarted
  | OpencodeSessionNextContextUpdated
  | OpencodeSessionNextModelSwitched
  | OpencodeSessionNextMoved
  | OpencodeSessionNextPromptAdmitted
  | OpencodeSessionNextPrompted
  | OpencodeSessionNextReasoningDelta
  | OpencodeSessionNextReasoningEnded
  | OpencodeSessionNextReasoningStarted
  | OpencodeSessionNextRetried
  | OpencodeSessionNextRevertCleared
  | OpencodeSessionNextRevertCommitted
  | OpencodeSessionNextRevertStaged
  | OpencodeSessionNextShellEnded
  | OpencodeSessionNextShellStarted
  | OpencodeSessionNextStepEnded
  | OpencodeSessionNextStepFailed
  | OpencodeSessionNextStepStarted
  | OpencodeSessionNextSynthetic
  | OpencodeSessionNextTextDelta
  | OpencodeSessionNextTextEnded
  | OpencodeSessionNextTextStarted
  | OpencodeSessionNextToolCalled
  | OpencodeSessionNextToolFailed
  | OpencodeSessionNextToolInputDelta
  | OpencodeSessionNextToolInputEnded
  | OpencodeSessionNextToolInputStarted
  | OpencodeSessionNextToolProgress
  | OpencodeSessionNextToolSuccess
  | OpencodeSessionResumed
  | OpencodeSessionStatus
  | OpencodeSessionUpdated
  | OpencodeShellEnv
  | OpencodeTodoUpdated
  | OpencodeToolDefinition
  | OpencodeToolExecuteAfter
  | OpencodeToolExecuteBefore
  | OpencodeTuiCommandExecute
  | OpencodeTuiPromptAppend
  | OpencodeTuiSessionSelect
  | OpencodeTuiToastShow
  | OpencodeVcsBranchUpdated
  | OpencodeWorkspaceFailed
  | OpencodeWorkspaceReady
  | OpencodeWorkspaceStatus
  | OpencodeWorktreeFailed
  | OpencodeWorktreeReady
  | OpencodeMessagePartUpdatedBash
  | OpencodeMessagePartUpdatedRead
  | OpencodePermissionAskedBash
  | OpencodeQuestionAskedQuestion
  | OpencodeToolExecuteAfterBash
  | OpencodeToolExecuteAfterEdit
  | OpencodeToolExecuteAfterQuestion
  | OpencodeToolExecuteAfterRead
  | OpencodeToolExecuteAfterTask
  | OpencodeToolExecuteAfterTodowrite
  | OpencodeToolExecuteAfterWrite
  | OpencodeToolExecuteBeforeBash
  | OpencodeToolExecuteBeforeEdit
  | OpencodeToolExecuteBeforeQuestion
  | OpencodeToolExecuteBeforeRead
  | OpencodeToolExecuteBeforeTask
  | OpencodeToolExecuteBeforeTodowrite
  | OpencodeToolExecuteBeforeWrite

/** By the agent's own name of the event. */
export interface OpencodePayloads {
  "catalog.updated": OpencodeCatalogUpdated
  "chat.headers": OpencodeChatHeaders
  "chat.message": OpencodeChatMessage
  "chat.params": OpencodeChatParams
  "command.execute.before": OpencodeCommandExecuteBefore
  "command.executed": OpencodeCommandExecuted
  "dispose": OpencodeDispose
  "experimental.chat.messages.transform": OpencodeExperimentalChatMessagesTransform
  "experimental.chat.system.transform": OpencodeExperimentalChatSystemTransform
  "experimental.compaction.autocontinue": OpencodeExperimentalCompactionAutocontinue
  "experimental.session.compacting": OpencodeExperimentalSessionCompacting
  "experimental.text.complete": OpencodeExperimentalTextComplete
  "file.edited": OpencodeFileEdited
  "file.watcher.updated": OpencodeFileWatcherUpdated
  "global.disposed": OpencodeGlobalDisposed
  "installation.update-available": OpencodeInstallationUpdateAvailable
  "installation.updated": OpencodeInstallationUpdated
  "integration.connection.updated": OpencodeIntegrationConnectionUpdated
  "integration.updated": OpencodeIntegrationUpdated
  "lsp.client.diagnostics": OpencodeLspClientDiagnostics
  "lsp.updated": OpencodeLspUpdated
  "mcp.browser.open.failed": OpencodeMcpBrowserOpenFailed
  "mcp.tools.changed": OpencodeMcpToolsChanged
  "message.part.delta": OpencodeMessagePartDelta
  "message.part.removed": OpencodeMessagePartRemoved
  "message.part.updated": OpencodeMessagePartUpdated
  "message.removed": OpencodeMessageRemoved
  "message.updated": OpencodeMessageUpdated
  "models-dev.refreshed": OpencodeModelsDevRefreshed
  "permission.asked": OpencodePermissionAsked
  "permission.replied": OpencodePermissionReplied
  "permission.v2.asked": OpencodePermissionV2Asked
  "permission.v2.replied": OpencodePermissionV2Replied
  "plugin.added": OpencodePluginAdded
  "plugin.init": OpencodePluginInit
  "project.directories.updated": OpencodeProjectDirectoriesUpdated
  "project.updated": OpencodeProjectUpdated
  "pty.created": OpencodePtyCreated
  "pty.deleted": OpencodePtyDeleted
  "pty.exited": OpencodePtyExited
  "pty.updated": OpencodePtyUpdated
  "question.asked": OpencodeQuestionAsked
  "question.rejected": OpencodeQuestionRejected
  "question.replied": OpencodeQuestionReplied
  "question.v2.asked": OpencodeQuestionV2Asked
  "question.v2.rejected": OpencodeQuestionV2Rejected
  "question.v2.replied": OpencodeQuestionV2Replied
  "reference.updated": OpencodeReferenceUpdated
  "server.connected": OpencodeServerConnected
  "server.instance.disposed": OpencodeServerInstanceDisposed
  "session.compacted": OpencodeSessionCompacted
  "session.created": OpencodeSessionCreated
  "session.deleted": OpencodeSessionDeleted
  "session.diff": OpencodeSessionDiff
  "session.drained": OpencodeSessionDrained
  "session.error": OpencodeSessionError
  "session.idle": OpencodeSessionIdle
  "session.next.agent.switched": OpencodeSessionNextAgentSwitched
  "session.next.compaction.delta": OpencodeSessionNextCompactionDelta
  "session.next.compaction.ended": OpencodeSessionNextCompactionEnded
  "session.next.compaction.started": OpencodeSessionNextCompactionStarted
  "session.next.context.updated": OpencodeSessionNextContextUpdated
  "session.next.model.switched": OpencodeSessionNextModelSwitched
  "session.next.moved": OpencodeSessionNextMoved
  "session.next.prompt.admitted": OpencodeSessionNextPromptAdmitted
  "session.next.prompted": OpencodeSessionNextPrompted
  "session.next.reasoning.delta": OpencodeSessionNextReasoningDelta
  "session.next.reasoning.ended": OpencodeSessionNextReasoningEnded
  "session.next.reasoning.started": OpencodeSessionNextReasoningStarted
  "session.next.retried": OpencodeSessionNextRetried
  "session.next.revert.cleared": OpencodeSessionNextRevertCleared
  "session.next.revert.committed": OpencodeSessionNextRevertCommitted
  "session.next.revert.staged": OpencodeSessionNextRevertStaged
  "session.next.shell.ended": OpencodeSessionNextShellEnded
  "session.next.shell.started": OpencodeSessionNextShellStarted
  "session.next.step.ended": OpencodeSessionNextStepEnded
  "session.next.step.failed": OpencodeSessionNextStepFailed
  "session.next.step.started": OpencodeSessionNextStepStarted
  "session.next.synthetic": OpencodeSessionNextSynthetic
  "session.next.text.delta": OpencodeSessionNextTextDelta
  "session.next.text.ended": OpencodeSessionNextTextEnded
  "session.next.text.started": OpencodeSessionNextTextStarted
  "session.next.tool.called": OpencodeSessionNextToolCalled
  "session.next.tool.failed": OpencodeSessionNextToolFailed
  "session.next.tool.input.delta": OpencodeSessionNextToolInputDelta
  "session.next.tool.input.ended": OpencodeSessionNextToolInputEnded
  "session.next.tool.input.started": OpencodeSessionNextToolInputStarted
  "session.next.tool.progress": OpencodeSessionNextToolProgress
  "session.next.tool.success": OpencodeSessionNextToolSuccess
  "session.resumed": OpencodeSessionResumed
  "session.status": OpencodeSessionStatus
  "session.updated": OpencodeSessionUpdated
  "shell.env": OpencodeShellEnv
  "todo.updated": OpencodeTodoUpdated
  "tool.definition": OpencodeToolDefinition
  "tool.execute.after": OpencodeToolExecuteAfter
  "tool.execute.before": OpencodeToolExecuteBefore
  "tui.command.execute": OpencodeTuiCommandExecute
  "tui.prompt.append": OpencodeTuiPromptAppend
  "tui.session.select": OpencodeTuiSessionSelect
  "tui.toast.show": OpencodeTuiToastShow
  "vcs.branch.updated": OpencodeVcsBranchUpdated
  "workspace.failed": OpencodeWorkspaceFailed
  "workspace.ready": OpencodeWorkspaceReady
  "workspace.status": OpencodeWorkspaceStatus
  "worktree.failed": OpencodeWorktreeFailed
  "worktree.ready": OpencodeWorktreeReady
}

/** Events about a tool, by the tools that were recorded. */
export interface OpencodeToolPayloads {
  "message.part.updated": {
    "bash": OpencodeMessagePartUpdatedBash
    "read": OpencodeMessagePartUpdatedRead
  }
  "permission.asked": {
    "bash": OpencodePermissionAskedBash
  }
  "question.asked": {
    "question": OpencodeQuestionAskedQuestion
  }
  "tool.execute.after": {
    "bash": OpencodeToolExecuteAfterBash
    "edit": OpencodeToolExecuteAfterEdit
    "question": OpencodeToolExecuteAfterQuestion
    "read": OpencodeToolExecuteAfterRead
    "task": OpencodeToolExecuteAfterTask
    "todowrite": OpencodeToolExecuteAfterTodowrite
    "write": OpencodeToolExecuteAfterWrite
  }
  "tool.execute.before": {
    "bash": OpencodeToolExecuteBeforeBash
    "edit": OpencodeToolExecuteBeforeEdit
    "question": OpencodeToolExecuteBeforeQuestion
    "read": OpencodeToolExecuteBeforeRead
    "task": OpencodeToolExecuteBeforeTask
    "todowrite": OpencodeToolExecuteBeforeTodowrite
    "write": OpencodeToolExecuteBeforeWrite
  }
}
