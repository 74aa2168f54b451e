/** What kilo 7.7.7 sends, as recorded. Made by "npm run sdk:types". */

export interface KiloCatalogUpdated {
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

export interface KiloChatHeaders {
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

export interface KiloChatMessage {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: string
  id?: unknown
  input?: {
    agent?: unknown
    messageID?: unknown
    model?: unknown
    sessionID?: string
    variant?: unknown
  }
  output?: {
    message?: {
      agent?: string
      id?: string
      model?: {
        modelID?: string
        providerID?: string
      }
      role?: string
      sessionID?: string
      time?: {
        created?: number
      }
    }
    parts?: ({
      id?: string
      messageID?: string
      sessionID?: string
      text?: string
      type?: string
    })[]
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface KiloChatParams {
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

export interface KiloCommandExecuteBefore {
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

export interface KiloCommandExecuted {
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

export interface KiloDispose {
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

export interface KiloExperimentalChatMessagesTransform {
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

export interface KiloExperimentalChatSystemTransform {
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

export interface KiloExperimentalCompactionAutocontinue {
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

export interface KiloExperimentalSessionCompacting {
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

export interface KiloExperimentalTextComplete {
  agentType?: unknown
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
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface KiloFileEdited {
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

export interface KiloFileWatcherUpdated {
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

export interface KiloGlobalDisposed {
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

export interface KiloInstallationUpdateAvailable {
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

export interface KiloInstallationUpdated {
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

export interface KiloIntegrationConnectionUpdated {
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

export interface KiloIntegrationUpdated {
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

export interface KiloLspClientDiagnostics {
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

export interface KiloLspUpdated {
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

export interface KiloMcpBrowserOpenFailed {
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

export interface KiloMcpToolsChanged {
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

export interface KiloMessagePartDelta {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
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

export interface KiloMessagePartRemoved {
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

export interface KiloMessagePartUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    part: {
      callID?: string
      cost?: number
      id: string
      messageID: string
      metadata?: {
        [name: string]: string
      }
      metrics?: {
        generation: number
        source: string
      }
      reason?: string
      sessionID: string
      state?: {
        error?: string
        input: {
          command?: string
          description?: string
          filePath?: string
        }
        metadata?: {
          approval?: {
            rule?: {
              action?: string
              pattern?: string
              permission?: string
            }
            source?: string
          }
          description?: string
          exit?: number
          output?: string
          truncated?: boolean
        }
        output?: string
        raw?: string
        status: string
        time?: {
          end?: number
          start: number
        }
        title?: string
      }
      synthetic?: boolean
      text?: string
      time?: {
        elapsed?: number
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

export interface KiloMessageRemoved {
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

export interface KiloMessageUpdated {
  agentType?: unknown
  contextWindow?: number
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    info: {
      agent: string
      cost?: number
      finish?: string
      id: string
      mode?: string
      model?: {
        modelID: string
        providerID: string
      }
      modelID?: string
      parentID?: string
      path?: {
        cwd: string
        root: string
      }
      providerID?: string
      role: string
      sessionID: string
      summary?: {
        diffs: unknown[]
      }
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

export interface KiloModelsDevRefreshed {
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

export interface KiloPermissionAsked {
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

export interface KiloPermissionReplied {
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

export interface KiloPermissionV2Asked {
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

export interface KiloPermissionV2Replied {
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

export interface KiloPluginAdded {
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

export interface KiloPluginInit {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  directory?: string
  id?: unknown
  input?: unknown
  output?: unknown
  parentID?: unknown
  project?: {
    id?: string
    sandboxes?: unknown[]
    time?: {
      created?: number
      updated?: number
    }
    worktree?: string
  }
  prompted?: unknown
  properties?: unknown
  serverUrl?: string
  type?: unknown
  worktree?: string
}

export interface KiloProjectDirectoriesUpdated {
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

export interface KiloProjectUpdated {
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

export interface KiloPtyCreated {
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

export interface KiloPtyDeleted {
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

export interface KiloPtyExited {
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

export interface KiloPtyUpdated {
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

export interface KiloQuestionAsked {
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

export interface KiloQuestionRejected {
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

export interface KiloQuestionReplied {
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

export interface KiloQuestionV2Asked {
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

export interface KiloQuestionV2Rejected {
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

export interface KiloQuestionV2Replied {
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

export interface KiloReferenceUpdated {
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

export interface KiloServerConnected {
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

export interface KiloServerInstanceDisposed {
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

export interface KiloSessionCompacted {
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

export interface KiloSessionCreated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: boolean
  properties?: {
    info?: {
      cost?: number
      directory?: string
      id?: string
      path?: string
      permission?: ({
        action?: string
        pattern?: string
        permission?: string
      })[]
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

export interface KiloSessionDeleted {
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

export interface KiloSessionDiff {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    diff?: unknown[]
    sessionID?: string
  }
  type?: string
}

export interface KiloSessionDrained {
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
    token?: string
  }
  type?: string
}

export interface KiloSessionError {
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

export interface KiloSessionIdle {
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

export interface KiloSessionNextAgentSwitched {
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

export interface KiloSessionNextCompactionDelta {
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

export interface KiloSessionNextCompactionEnded {
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

export interface KiloSessionNextCompactionStarted {
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

export interface KiloSessionNextContextUpdated {
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

export interface KiloSessionNextModelSwitched {
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

export interface KiloSessionNextMoved {
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

export interface KiloSessionNextPromptAdmitted {
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

export interface KiloSessionNextPrompted {
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

export interface KiloSessionNextReasoningDelta {
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

export interface KiloSessionNextReasoningEnded {
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

export interface KiloSessionNextReasoningStarted {
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

export interface KiloSessionNextRetried {
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

export interface KiloSessionNextRevertCleared {
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

export interface KiloSessionNextRevertCommitted {
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

export interface KiloSessionNextRevertStaged {
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

export interface KiloSessionNextShellEnded {
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

export interface KiloSessionNextShellStarted {
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

export interface KiloSessionNextStepEnded {
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

export interface KiloSessionNextStepFailed {
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

export interface KiloSessionNextStepStarted {
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

export interface KiloSessionNextSynthetic {
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

export interface KiloSessionNextTextDelta {
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

export interface KiloSessionNextTextEnded {
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

export interface KiloSessionNextTextStarted {
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

export interface KiloSessionNextToolCalled {
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

export interface KiloSessionNextToolFailed {
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

export interface KiloSessionNextToolInputDelta {
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

export interface KiloSessionNextToolInputEnded {
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

export interface KiloSessionNextToolInputStarted {
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

export interface KiloSessionNextToolProgress {
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

export interface KiloSessionNextToolSuccess {
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

export interface KiloSessionResumed {
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

export interface KiloSessionStatus {
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
    status?: {
      type?: string
    }
  }
  type?: string
}

export interface KiloSessionUpdated {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
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
      model?: {
        id?: string
        providerID?: string
        variant?: string
      }
      path?: string
      permission?: ({
        action?: string
        pattern?: string
        permission?: string
      })[]
      projectID?: string
      slug?: string
      summary?: {
        additions?: number
        deletions?: number
        files?: number
      }
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

export interface KiloShellEnv {
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

export interface KiloTodoUpdated {
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

export interface KiloToolDefinition {
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

export interface KiloToolExecuteAfter {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
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
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface KiloToolExecuteBefore {
  agentType?: unknown
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
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface KiloTuiCommandExecute {
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

export interface KiloTuiPromptAppend {
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

export interface KiloTuiSessionSelect {
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

export interface KiloTuiToastShow {
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

export interface KiloVcsBranchUpdated {
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

export interface KiloWorkspaceFailed {
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

export interface KiloWorkspaceReady {
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

export interface KiloWorkspaceStatus {
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

export interface KiloWorktreeFailed {
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

export interface KiloWorktreeReady {
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

export interface KiloMessagePartUpdatedBash {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    part: {
      callID?: string
      cost?: number
      id: string
      messageID: string
      metadata?: {
        [name: string]: string
      }
      metrics?: {
        generation: number
        source: string
      }
      reason?: string
      sessionID: string
      state?: {
        error?: string
        input: {
          command?: string
          description?: string
          filePath?: string
        }
        metadata?: {
          approval?: {
            rule?: {
              action?: string
              pattern?: string
              permission?: string
            }
            source?: string
          }
          description?: string
          exit?: number
          output?: string
          truncated?: boolean
        }
        output?: string
        raw?: string
        status: string
        time?: {
          end?: number
          start: number
        }
        title?: string
      }
      synthetic?: boolean
      text?: string
      time?: {
        elapsed?: number
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

export interface KiloMessagePartUpdatedRead {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
  id?: string
  input?: unknown
  output?: unknown
  parentID?: unknown
  prompted?: unknown
  properties?: {
    part: {
      callID?: string
      cost?: number
      id: string
      messageID: string
      metadata?: {
        [name: string]: string
      }
      metrics?: {
        generation: number
        source: string
      }
      reason?: string
      sessionID: string
      state?: {
        error?: string
        input: {
          command?: string
          description?: string
          filePath?: string
        }
        metadata?: {
          approval?: {
            rule?: {
              action?: string
              pattern?: string
              permission?: string
            }
            source?: string
          }
          description?: string
          exit?: number
          output?: string
          truncated?: boolean
        }
        output?: string
        raw?: string
        status: string
        time?: {
          end?: number
          start: number
        }
        title?: string
      }
      synthetic?: boolean
      text?: string
      time?: {
        elapsed?: number
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

export interface KiloToolExecuteAfterBash {
  agentType?: unknown
  contextWindow?: unknown
  cwd?: unknown
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
    metadata?: {
      description?: string
      exit?: number
      output?: string
      truncated?: boolean
    }
    output?: string
    title?: string
  }
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface KiloToolExecuteBeforeBash {
  agentType?: unknown
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
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

export interface KiloToolExecuteBeforeRead {
  agentType?: unknown
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
  parentID?: unknown
  prompted?: unknown
  properties?: unknown
  type?: unknown
}

/** Any of them. */
export type KiloPayload =
  | KiloCatalogUpdated
  | KiloChatHeaders
  | KiloChatMessage
  | KiloChatParams
  | KiloCommandExecuteBefore
  | KiloCommandExecuted
  | KiloDispose
  | KiloExperimentalChatMessagesTransform
  | KiloExperimentalChatSystemTransform
  | KiloExperimentalCompactionAutocontinue
  | KiloExperimentalSessionCompacting
  | KiloExperimentalTextComplete
  | KiloFileEdited
  | KiloFileWatcherUpdated
  | KiloGlobalDisposed
  | KiloInstallationUpdateAvailable
  | KiloInstallationUpdated
  | KiloIntegrationConnectionUpdated
  | KiloIntegrationUpdated
  | KiloLspClientDiagnostics
  | KiloLspUpdated
  | KiloMcpBrowserOpenFailed
  | KiloMcpToolsChanged
  | KiloMessagePartDelta
  | KiloMessagePartRemoved
  | KiloMessagePartUpdated
  | KiloMessageRemoved
  | KiloMessageUpdated
  | KiloModelsDevRefreshed
  | KiloPermissionAsked
  | KiloPermissionReplied
  | KiloPermissionV2Asked
  | KiloPermissionV2Replied
  | KiloPluginAdded
  | KiloPluginInit
  | KiloProjectDirectoriesUpdated
  | KiloProjectUpdated
  | KiloPtyCreated
  | KiloPtyDeleted
  | KiloPtyExited
  | KiloPtyUpdated
  | KiloQuestionAsked
  | KiloQuestionRejected
  | KiloQuestionReplied
  | KiloQuestionV2Asked
  | KiloQuestionV2Rejected
  | KiloQuestionV2Replied
  | KiloReferenceUpdated
  | KiloServerConnected
  | KiloServerInstanceDisposed
  | KiloSessionCompacted
  | KiloSessionCreated
  | KiloSessionDeleted
  | KiloSessionDiff
  | KiloSessionDrained
  | KiloSessionError
  | KiloSessionIdle
  | KiloSessionNextAgentSwitched
  | KiloSessionNextCompactionDelta
  | KiloSessionNextCompactionEnded
  | KiloSessionNextCompactionStarted
  | KiloSessionNextContextUpdated
  | KiloSessionNextModelSwitched
  | KiloSessionNextMoved
  | KiloSessionNextPromptAdmitted
  | KiloSessionNextPrompted
  | KiloSessionNextReasoningDelta
  | KiloSessionNextReasoningEnded
  | KiloSessionNextReasoningStarted
  | KiloSessionNextRetried
  | KiloSessionNextRevertCleared
  | KiloSessionNextRevertCommitted
  | KiloSessionNextRevertStaged
  | KiloSessionNextShellEnded
  | KiloSessionNextShellStarted
  | KiloSessionNextStepEnded
  | KiloSessionNextStepFailed
  | KiloSessionNextStepStarted
  | KiloSessionNextSynthetic
  | KiloSessionNextTextDelta
  | KiloSessionNextTextEnded
  | KiloSessionNextTextStarted
  | KiloSessionNextToolCalled
  | KiloSessionNextToolFailed
  | KiloSessionNextToolInputDelta
  | KiloSessionNextToolInputEnded
  | KiloSessionNextToolInputStarted
  | KiloSessionNextToolProgress
  | KiloSessionNextToolSuccess
  | KiloSessionResumed
  | KiloSessionStatus
  | KiloSessionUpdated
  | KiloShellEnv
  | KiloTodoUpdated
  | KiloToolDefinition
  | KiloToolExecuteAfter
  | KiloToolExecuteBefore
  | KiloTuiCommandExecute
  | KiloTuiPromptAppend
  | KiloTuiSessionSelect
  | KiloTuiToastShow
  | KiloVcsBranchUpdated
  | KiloWorkspaceFailed
  | KiloWorkspaceReady
  | KiloWorkspaceStatus
  | KiloWorktreeFailed
  | KiloWorktreeReady
  | KiloMessagePartUpdatedBash
  | KiloMessagePartUpdatedRead
  | KiloToolExecuteAfterBash
  | KiloToolExecuteBeforeBash
  | KiloToolExecuteBeforeRead

/** By the agent's own name of the event. */
export interface KiloPayloads {
  "catalog.updated": KiloCatalogUpdated
  "chat.headers": KiloChatHeaders
  "chat.message": KiloChatMessage
  "chat.params": KiloChatParams
  "command.execute.before": KiloCommandExecuteBefore
  "command.executed": KiloCommandExecuted
  "dispose": KiloDispose
  "experimental.chat.messages.transform": KiloExperimentalChatMessagesTransform
  "experimental.chat.system.transform": KiloExperimentalChatSystemTransform
  "experimental.compaction.autocontinue": KiloExperimentalCompactionAutocontinue
  "experimental.session.compacting": KiloExperimentalSessionCompacting
  "experimental.text.complete": KiloExperimentalTextComplete
  "file.edited": KiloFileEdited
  "file.watcher.updated": KiloFileWatcherUpdated
  "global.disposed": KiloGlobalDisposed
  "installation.update-available": KiloInstallationUpdateAvailable
  "installation.updated": KiloInstallationUpdated
  "integration.connection.updated": KiloIntegrationConnectionUpdated
  "integration.updated": KiloIntegrationUpdated
  "lsp.client.diagnostics": KiloLspClientDiagnostics
  "lsp.updated": KiloLspUpdated
  "mcp.browser.open.failed": KiloMcpBrowserOpenFailed
  "mcp.tools.changed": KiloMcpToolsChanged
  "message.part.delta": KiloMessagePartDelta
  "message.part.removed": KiloMessagePartRemoved
  "message.part.updated": KiloMessagePartUpdated
  "message.removed": KiloMessageRemoved
  "message.updated": KiloMessageUpdated
  "models-dev.refreshed": KiloModelsDevRefreshed
  "permission.asked": KiloPermissionAsked
  "permission.replied": KiloPermissionReplied
  "permission.v2.asked": KiloPermissionV2Asked
  "permission.v2.replied": KiloPermissionV2Replied
  "plugin.added": KiloPluginAdded
  "plugin.init": KiloPluginInit
  "project.directories.updated": KiloProjectDirectoriesUpdated
  "project.updated": KiloProjectUpdated
  "pty.created": KiloPtyCreated
  "pty.deleted": KiloPtyDeleted
  "pty.exited": KiloPtyExited
  "pty.updated": KiloPtyUpdated
  "question.asked": KiloQuestionAsked
  "question.rejected": KiloQuestionRejected
  "question.replied": KiloQuestionReplied
  "question.v2.asked": KiloQuestionV2Asked
  "question.v2.rejected": KiloQuestionV2Rejected
  "question.v2.replied": KiloQuestionV2Replied
  "reference.updated": KiloReferenceUpdated
  "server.connected": KiloServerConnected
  "server.instance.disposed": KiloServerInstanceDisposed
  "session.compacted": KiloSessionCompacted
  "session.created": KiloSessionCreated
  "session.deleted": KiloSessionDeleted
  "session.diff": KiloSessionDiff
  "session.drained": KiloSessionDrained
  "session.error": KiloSessionError
  "session.idle": KiloSessionIdle
  "session.next.agent.switched": KiloSessionNextAgentSwitched
  "session.next.compaction.delta": KiloSessionNextCompactionDelta
  "session.next.compaction.ended": KiloSessionNextCompactionEnded
  "session.next.compaction.started": KiloSessionNextCompactionStarted
  "session.next.context.updated": KiloSessionNextContextUpdated
  "session.next.model.switched": KiloSessionNextModelSwitched
  "session.next.moved": KiloSessionNextMoved
  "session.next.prompt.admitted": KiloSessionNextPromptAdmitted
  "session.next.prompted": KiloSessionNextPrompted
  "session.next.reasoning.delta": KiloSessionNextReasoningDelta
  "session.next.reasoning.ended": KiloSessionNextReasoningEnded
  "session.next.reasoning.started": KiloSessionNextReasoningStarted
  "session.next.retried": KiloSessionNextRetried
  "session.next.revert.cleared": KiloSessionNextRevertCleared
  "session.next.revert.committed": KiloSessionNextRevertCommitted
  "session.next.revert.staged": KiloSessionNextRevertStaged
  "session.next.shell.ended": KiloSessionNextShellEnded
  "session.next.shell.started": KiloSessionNextShellStarted
  "session.next.step.ended": KiloSessionNextStepEnded
  "session.next.step.failed": KiloSessionNextStepFailed
  "session.next.step.started": KiloSessionNextStepStarted
  "session.next.synthetic": KiloSessionNextSynthetic
  "session.next.text.delta": KiloSessionNextTextDelta
  "session.next.text.ended": KiloSessionNextTextEnded
  "session.next.text.started": KiloSessionNextTextStarted
  "session.next.tool.called": KiloSessionNextToolCalled
  "session.next.tool.failed": KiloSessionNextToolFailed
  "session.next.tool.input.delta": KiloSessionNextToolInputDelta
  "session.next.tool.input.ended": KiloSessionNextToolInputEnded
  "session.next.tool.input.started": KiloSessionNextToolInputStarted
  "session.next.tool.progress": KiloSessionNextToolProgress
  "session.next.tool.success": KiloSessionNextToolSuccess
  "session.resumed": KiloSessionResumed
  "session.status": KiloSessionStatus
  "session.updated": KiloSessionUpdated
  "shell.env": KiloShellEnv
  "todo.updated": KiloTodoUpdated
  "tool.definition": KiloToolDefinition
  "tool.execute.after": KiloToolExecuteAfter
  "tool.execute.before": KiloToolExecuteBefore
  "tui.command.execute": KiloTuiCommandExecute
  "tui.prompt.append": KiloTuiPromptAppend
  "tui.session.select": KiloTuiSessionSelect
  "tui.toast.show": KiloTuiToastShow
  "vcs.branch.updated": KiloVcsBranchUpdated
  "workspace.failed": KiloWorkspaceFailed
  "workspace.ready": KiloWorkspaceReady
  "workspace.status": KiloWorkspaceStatus
  "worktree.failed": KiloWorktreeFailed
  "worktree.ready": KiloWorktreeReady
}

/** Events about a tool, by the tools that were recorded. */
export interface KiloToolPayloads {
  "message.part.updated": {
    "bash": KiloMessagePartUpdatedBash
    "read": KiloMessagePartUpdatedRead
  }
  "tool.execute.after": {
    "bash": KiloToolExecuteAfterBash
  }
  "tool.execute.before": {
    "bash": KiloToolExecuteBeforeBash
    "read": KiloToolExecuteBeforeRead
  }
}
