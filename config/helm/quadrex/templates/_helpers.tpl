{{- define "quadrex.selector" -}}
{ app.kubernetes.io/name: quadrex, app.kubernetes.io/instance: {{ .Release.Name | quote }}, app.kubernetes.io/component: node }
{{- end -}}

{{- define "quadrex.labels" -}}
{ app.kubernetes.io/name: quadrex, app.kubernetes.io/instance: {{ .Release.Name | quote }}, app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}, app.kubernetes.io/managed-by: {{ .Release.Service | quote }} }
{{- end -}}

{{- define "quadrex.metrics" -}}
{ app.kubernetes.io/name: quadrex, app.kubernetes.io/instance: {{ .Release.Name | quote }}, app.kubernetes.io/component: metrics }
{{- end -}}

{{- define "quadrex.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
