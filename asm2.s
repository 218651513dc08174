	.file	"<string>"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI0_0:
	.quad	0x3ff0000000000000
	.section	.ltext,"axl",@progbits
	.globl	_ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE
	.p2align	4
	.type	_ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE,@function
_ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$344, %rsp
	.cfi_def_cfa_offset 400
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	584(%rsp), %rbx
	movq	528(%rsp), %r12
	movq	472(%rsp), %r14
	movq	536(%rsp), %r13
	movq	592(%rsp), %r15
	movabsq	$NRT_incref, %rbp
	movq	%rdi, 40(%rsp)
	movq	%r8, %rdi
	movq	%rcx, 16(%rsp)
	movq	%rdx, 80(%rsp)
	movq	%r8, 8(%rsp)
	callq	*%rbp
	movq	440(%rsp), %rdi
	callq	*%rbp
	movq	496(%rsp), %rdi
	callq	*%rbp
	movq	552(%rsp), %rdi
	callq	*%rbp
	movq	624(%rsp), %rdi
	callq	*%rbp
	movq	696(%rsp), %rdi
	callq	*%rbp
	movq	768(%rsp), %rdi
	callq	*%rbp
	movq	736(%rsp), %r9
	movq	480(%rsp), %r11
	movl	$0, %edx
	movl	$0, %esi
	vxorps	%xmm5, %xmm5, %xmm5
	subq	%r9, %r15
	movq	%r9, %rax
	movq	%r11, %rbp
	subq	%r15, %rax
	movq	%r15, %r8
	movq	%rax, %r10
	movq	%rax, 56(%rsp)
	subq	80(%rsp), %r10
	xorl	%eax, %eax
	testq	%r11, %r11
	cmovleq	%r13, %rdx
	subq	$5, %rbp
	leaq	(%r12,%rbp,8), %rdi
	cmovlq	%r13, %rsi
	leaq	(%r14,%rbp,8), %rcx
	vbroadcastsd	(%rdi,%rsi,8), %zmm0
	movl	$0, %esi
	movq	%r11, %rdi
	cmovlq	%r11, %rsi
	movq	%r10, 272(%rsp)
	subq	(%rcx,%rsi,8), %r8
	leaq	-32(%r12,%r11,8), %rcx
	cmpq	$4, %r11
	movl	$0, %esi
	cmovlq	%r13, %rsi
	vbroadcastsd	(%rcx,%rsi,8), %zmm1
	movl	$0, %esi
	vbroadcastsd	24(%rcx,%rdx,8), %zmm4
	movq	416(%rsp), %rdx
	cmovlq	%r11, %rsi
	movq	%r8, 208(%rsp)
	leaq	-32(%r14,%r11,8), %r8
	movq	%r15, %r11
	subq	(%r8,%rsi,8), %r11
	cmpq	$3, %rdi
	movl	$0, %esi
	cmovlq	%r13, %rsi
	vbroadcastsd	8(%rcx,%rsi,8), %zmm2
	movl	$0, %esi
	cmovlq	%rdi, %rsi
	movq	%r11, 144(%rsp)
	movq	%r15, %r11
	subq	8(%r8,%rsi,8), %r11
	cmpq	$2, %rdi
	movq	%r15, %rsi
	cmovgeq	%rax, %r13
	cmovlq	%rdi, %rax
	subq	16(%r8,%rax,8), %rsi
	movq	%rdi, %rax
	sarq	$63, %rax
	vbroadcastsd	16(%rcx,%r13,8), %zmm3
	movq	%r15, %rcx
	movq	16(%rsp), %r13
	andq	%rdi, %rax
	subq	24(%r8,%rax,8), %rcx
	movq	656(%rsp), %rax
	movq	%r11, (%rsp)
	movq	%rsi, 72(%rsp)
	leaq	(%r10,%r15), %rsi
	movq	%rsi, 24(%rsp)
	vmovups	%zmm5, 64(%rax)
	vmovups	%zmm5, (%rax)
	movabsq	$.LCPI0_0, %rax
	movq	%rcx, 64(%rsp)
	leaq	-1(%r10,%r15), %rcx
	vmovdqu	(%rdx,%r13), %xmm5
	vbroadcastsd	(%rax), %zmm7
	movq	%r15, %rax
	shlq	$7, %rax
	vptestmb	%xmm5, %xmm5, %k1
	kshiftrw	$8, %k1, %k2
	vmovapd	%zmm7, %zmm5 {%k1} {z}
	vmovupd	%zmm5, (%rbx,%rax)
	vmovapd	%zmm7, %zmm6 {%k2} {z}
	vmovupd	%zmm6, 64(%rbx,%rax)
	testq	%rcx, %rcx
	jle	.LBB0_1
	leaq	(,%r13,8), %r11
	addq	%r13, %rdx
	addq	728(%rsp), %r11
	xorl	%eax, %eax
	cmpq	$6, %rdi
	movabsq	$9223372036854775800, %rsi
	movl	$1, %r13d
	vxorpd	%xmm5, %xmm5, %xmm5
	vxorpd	%xmm11, %xmm11, %xmm11
	vxorpd	%xmm13, %xmm13, %xmm13
	vxorpd	%xmm10, %xmm10, %xmm10
	vxorpd	%xmm12, %xmm12, %xmm12
	cmovlq	%rax, %rbp
	subq	80(%rsp), %r9
	movq	%rdx, 48(%rsp)
	movl	%ebp, %edx
	andl	$7, %edx
	andq	%rbp, %rsi
	movq	%r9, 32(%rsp)
	.p2align	4
.LBB0_16:
	testq	%rbp, %rbp
	jle	.LBB0_17
	leaq	(%r13,%r15), %rcx
	vxorpd	%xmm6, %xmm6, %xmm6
	vxorpd	%xmm7, %xmm7, %xmm7
	xorl	%r8d, %r8d
	cmpq	$8, %rbp
	jb	.LBB0_7
	.p2align	4
.LBB0_5:
	movq	%rcx, %r9
	subq	(%r14,%r8,8), %r9
	vbroadcastsd	(%r12,%r8,8), %zmm8
	vbroadcastsd	16(%r12,%r8,8), %zmm9
	shlq	$7, %r9
	vfmadd231pd	(%rbx,%r9), %zmm8, %zmm6
	vfmadd231pd	64(%rbx,%r9), %zmm8, %zmm7
	movq	%rcx, %r9
	subq	8(%r14,%r8,8), %r9
	vbroadcastsd	8(%r12,%r8,8), %zmm8
	shlq	$7, %r9
	vfmadd231pd	64(%rbx,%r9), %zmm8, %zmm7
	vfmadd231pd	(%rbx,%r9), %zmm8, %zmm6
	movq	%rcx, %r9
	subq	16(%r14,%r8,8), %r9
	vbroadcastsd	24(%r12,%r8,8), %zmm8
	shlq	$7, %r9
	vfmadd231pd	(%rbx,%r9), %zmm9, %zmm6
	vfmadd231pd	64(%rbx,%r9), %zmm9, %zmm7
	movq	%rcx, %r9
	subq	24(%r14,%r8,8), %r9
	vbroadcastsd	40(%r12,%r8,8), %zmm9
	shlq	$7, %r9
	vfmadd231pd	64(%rbx,%r9), %zmm8, %zmm7
	vfmadd231pd	(%rbx,%r9), %zmm8, %zmm6
	movq	%rcx, %r9
	subq	32(%r14,%r8,8), %r9
	vbroadcastsd	32(%r12,%r8,8), %zmm8
	shlq	$7, %r9
	vfmadd231pd	(%rbx,%r9), %zmm8, %zmm6
	vfmadd231pd	64(%rbx,%r9), %zmm8, %zmm7
	movq	%rcx, %r9
	subq	40(%r14,%r8,8), %r9
	vbroadcastsd	48(%r12,%r8,8), %zmm8
	shlq	$7, %r9
	vfmadd231pd	64(%rbx,%r9), %zmm9, %zmm7
	vfmadd231pd	(%rbx,%r9), %zmm9, %zmm6
	movq	%rcx, %r9
	subq	48(%r14,%r8,8), %r9
	shlq	$7, %r9
	vfmadd231pd	(%rbx,%r9), %zmm8, %zmm6
	vfmadd231pd	64(%rbx,%r9), %zmm8, %zmm7
	movq	%rcx, %r9
	subq	56(%r14,%r8,8), %r9
	vbroadcastsd	56(%r12,%r8,8), %zmm8
	addq	$8, %r8
	shlq	$7, %r9
	vfmadd231pd	64(%rbx,%r9), %zmm8, %zmm7
	vfmadd231pd	(%rbx,%r9), %zmm8, %zmm6
	cmpq	%r8, %rsi
	jne	.LBB0_5
	testq	%rdx, %rdx
	je	.LBB0_9
.LBB0_7:
	leaq	(%r14,%r8,8), %r9
	leaq	(%r12,%r8,8), %r8
	xorl	%r10d, %r10d
	.p2align	4
.LBB0_8:
	movq	%rcx, %rdi
	subq	(%r9,%r10,8), %rdi
	vbroadcastsd	(%r8,%r10,8), %zmm8
	incq	%r10
	shlq	$7, %rdi
	vfmadd231pd	64(%rbx,%rdi), %zmm8, %zmm7
	vfmadd231pd	(%rbx,%rdi), %zmm8, %zmm6
	cmpq	%r10, %rdx
	jne	.LBB0_8
	jmp	.LBB0_9
	.p2align	4
.LBB0_17:
	vxorpd	%xmm6, %xmm6, %xmm6
	vxorpd	%xmm7, %xmm7, %xmm7
.LBB0_9:
	movq	208(%rsp), %rcx
	vxorpd	%xmm8, %xmm8, %xmm8
	addq	%r13, %rcx
	shlq	$7, %rcx
	vfmadd231pd	64(%rbx,%rcx), %zmm0, %zmm7
	vfmadd231pd	(%rbx,%rcx), %zmm0, %zmm6
	movq	144(%rsp), %rcx
	addq	%r13, %rcx
	shlq	$7, %rcx
	vfmadd231pd	(%rbx,%rcx), %zmm1, %zmm6
	vfmadd231pd	64(%rbx,%rcx), %zmm1, %zmm7
	movq	(%rsp), %rcx
	addq	%r13, %rcx
	shlq	$7, %rcx
	vfmadd231pd	64(%rbx,%rcx), %zmm2, %zmm7
	vfmadd231pd	(%rbx,%rcx), %zmm2, %zmm6
	movq	72(%rsp), %rcx
	addq	%r13, %rcx
	shlq	$7, %rcx
	vfmadd231pd	(%rbx,%rcx), %zmm3, %zmm6
	vfmadd231pd	64(%rbx,%rcx), %zmm3, %zmm7
	movq	64(%rsp), %rcx
	addq	%r13, %rcx
	shlq	$7, %rcx
	vfmadd231pd	64(%rbx,%rcx), %zmm4, %zmm7
	vfmadd231pd	(%rbx,%rcx), %zmm4, %zmm6
	cmpq	272(%rsp), %r13
	jge	.LBB0_10
	movq	%r13, %rcx
	imulq	56(%rsp), %rcx
	movq	48(%rsp), %rdi
	vmovdqu	(%rdi,%rcx), %xmm8
	vptestmb	%xmm8, %xmm8, %k1
	kshiftrw	$8, %k1, %k2
	vmovapd	%zmm6, %zmm8 {%k1} {z}
	vcmpneqpd	%zmm5, %zmm8, %k0
	vmovapd	%zmm7, %zmm9 {%k2} {z}
	vcmpneqpd	%zmm5, %zmm9, %k1
	kunpckbw	%k0, %k1, %k0
	kortestw	%k0, %k0
	cmovneq	%r13, %rax
	jmp	.LBB0_12
	.p2align	4
.LBB0_10:
	vxorpd	%xmm9, %xmm9, %xmm9
.LBB0_12:
	movq	80(%rsp), %rdi
	movq	656(%rsp), %r9
	leaq	(%r13,%r15), %rcx
	vsubpd	%zmm8, %zmm6, %zmm6
	vsubpd	%zmm9, %zmm7, %zmm7
	movq	32(%rsp), %r8
	shlq	$7, %rcx
	vmovupd	%zmm9, 64(%rbx,%rcx)
	vmovupd	%zmm8, (%rbx,%rcx)
	movq	%r13, %rcx
	shlq	$7, %rcx
	vaddpd	%zmm6, %zmm10, %zmm10
	vaddpd	%zmm7, %zmm12, %zmm12
	vmovupd	%zmm7, 64(%r9,%rcx)
	vmovupd	%zmm6, (%r9,%rcx)
	leaq	(%r13,%rdi), %rcx
	imulq	744(%rsp), %rcx
	vfmadd231pd	64(%r11,%rcx,8), %zmm7, %zmm13
	vfmadd231pd	(%r11,%rcx,8), %zmm6, %zmm11
	movq	%r13, %rcx
	subq	%rax, %rcx
	cmpq	%r15, %rcx
	jg	.LBB0_13
	incq	%r13
	cmpq	%r8, %r13
	jne	.LBB0_16
	movq	696(%rsp), %rax
	movq	16(%rsp), %r13
	movq	8(%rsp), %r14
	movq	496(%rsp), %r15
	movq	440(%rsp), %r12
	movq	624(%rsp), %rbp
	movq	552(%rsp), %rdi
	vmovupd	%zmm10, 80(%rsp)
	vmovupd	%zmm11, 208(%rsp)
	vmovupd	%zmm12, 272(%rsp)
	vmovupd	%zmm13, 144(%rsp)
	movq	%rax, (%rsp)
	jmp	.LBB0_14
.LBB0_1:
	movq	696(%rsp), %rax
	movq	8(%rsp), %r14
	movq	496(%rsp), %r15
	movq	440(%rsp), %r12
	movq	624(%rsp), %rbp
	movq	552(%rsp), %rdi
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%zmm0, 80(%rsp)
	vmovupd	%zmm0, 272(%rsp)
	vmovupd	%zmm0, 208(%rsp)
	vmovupd	%zmm0, 144(%rsp)
	movq	%rax, (%rsp)
	jmp	.LBB0_14
.LBB0_13:
	movq	552(%rsp), %rdi
	movabsq	$NRT_decref, %rbx
	vmovupd	%zmm10, 80(%rsp)
	vmovupd	%zmm11, 208(%rsp)
	vmovupd	%zmm12, 272(%rsp)
	vmovupd	%zmm13, 144(%rsp)
	vzeroupper
	callq	*%rbx
	movq	624(%rsp), %rdi
	callq	*%rbx
	movq	440(%rsp), %rdi
	callq	*%rbx
	movq	8(%rsp), %rdi
	callq	*%rbx
	movq	496(%rsp), %rdi
	callq	*%rbx
	movq	696(%rsp), %rdi
	callq	*%rbx
	movq	%r13, 24(%rsp)
	movq	16(%rsp), %r13
	xorl	%r14d, %r14d
	xorl	%r12d, %r12d
	xorl	%r15d, %r15d
	xorl	%edi, %edi
	xorl	%ebp, %ebp
	movq	$0, (%rsp)
.LBB0_14:
	movabsq	$NRT_decref, %rbx
	vzeroupper
	callq	*%rbx
	movq	%rbp, %rdi
	callq	*%rbx
	movq	%r12, %rdi
	callq	*%rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	%r15, %rdi
	callq	*%rbx
	movq	(%rsp), %rdi
	callq	*%rbx
	vmovups	208(%rsp), %zmm1
	movq	800(%rsp), %rcx
	vmovups	144(%rsp), %zmm0
	vmovups	272(%rsp), %zmm2
	movq	768(%rsp), %rdi
	leaq	(%rcx,%r13,8), %rax
	vmovups	%zmm1, (%rcx,%r13,8)
	vmovups	80(%rsp), %zmm1
	vmovups	%zmm0, 64(%rcx,%r13,8)
	movq	816(%rsp), %rcx
	vmovups	%zmm2, 64(%rax,%rcx,8)
	vmovups	%zmm1, (%rax,%rcx,8)
	vzeroupper
	callq	*%rbx
	movq	40(%rsp), %rax
	movq	24(%rsp), %rcx
	movq	%rcx, (%rax)
	xorl	%eax, %eax
	addq	$344, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end0:
	.size	_ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE, .Lfunc_end0-_ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE
	.cfi_endproc

	.globl	_ZN7cpython6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE
	.p2align	4
	.type	_ZN7cpython6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE,@function
_ZN7cpython6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$744, %rsp
	.cfi_def_cfa_offset 800
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	%rsi, %rdi
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	leaq	176(%rsp), %r10
	leaq	184(%rsp), %r11
	leaq	192(%rsp), %rbx
	leaq	200(%rsp), %r14
	leaq	208(%rsp), %r15
	leaq	216(%rsp), %r12
	leaq	224(%rsp), %r13
	movabsq	$.const.follow_turns, %rsi
	movabsq	$PyArg_UnpackTuple, %rbp
	leaq	240(%rsp), %r8
	leaq	232(%rsp), %r9
	movl	$9, %edx
	movl	$9, %ecx
	xorl	%eax, %eax
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	callq	*%rbp
	addq	$64, %rsp
	.cfi_adjust_cfa_offset -64
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 368(%rsp)
	vmovups	%ymm0, 304(%rsp)
	vmovups	%ymm0, 240(%rsp)
	vmovups	%ymm0, 392(%rsp)
	vmovups	%ymm0, 328(%rsp)
	vmovups	%ymm0, 264(%rsp)
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 592(%rsp)
	movq	$0, 656(%rsp)
	vmovups	%zmm0, 672(%rsp)
	movq	$0, 736(%rsp)
	vmovups	%zmm0, 432(%rsp)
	movq	$0, 496(%rsp)
	vmovups	%zmm0, 512(%rsp)
	movq	$0, 576(%rsp)
	movq	$0, 16(%rsp)
	testl	%eax, %eax
	je	.LBB1_1
	movabsq	$_ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE, %rax
	cmpq	$0, (%rax)
	je	.LBB1_4
	movq	232(%rsp), %rdi
	movabsq	$PyNumber_Long, %r12
	vzeroupper
	callq	*%r12
	movabsq	$PyLong_AsLongLong, %r15
	movabsq	$Py_DecRef, %r14
	testq	%rax, %rax
	je	.LBB1_7
	movq	%rax, %rdi
	movq	%rax, %rbx
	callq	*%r15
	movq	%rbx, %rdi
	movq	%rax, %rbp
	callq	*%r14
	movabsq	$PyErr_Occurred, %r13
	callq	*%r13
	testq	%rax, %rax
	jne	.LBB1_1
.LBB1_10:
	movq	224(%rsp), %rdi
	callq	*%r12
	testq	%rax, %rax
	je	.LBB1_11
	movq	%rax, %rdi
	movq	%rax, %rbx
	callq	*%r15
	movq	%rbx, %rdi
	movq	%rax, %r12
	callq	*%r14
	callq	*%r13
	testq	%rax, %rax
	jne	.LBB1_1
.LBB1_14:
	movq	216(%rsp), %rdi
	movabsq	$NRT_adapt_ndarray_from_python, %rbx
	leaq	368(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 368(%rsp)
	vmovups	%ymm0, 392(%rsp)
	vzeroupper
	callq	*%rbx
	testl	%eax, %eax
	jne	.LBB1_16
	cmpq	$1, 392(%rsp)
	jne	.LBB1_16
	movq	368(%rsp), %rax
	movq	208(%rsp), %rdi
	movq	400(%rsp), %r13
	leaq	304(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 304(%rsp)
	vmovups	%ymm0, 328(%rsp)
	movq	%rax, 48(%rsp)
	vzeroupper
	callq	*%rbx
	testl	%eax, %eax
	jne	.LBB1_19
	cmpq	$8, 328(%rsp)
	jne	.LBB1_19
	movq	344(%rsp), %rax
	movq	200(%rsp), %rdi
	movq	%r12, 8(%rsp)
	movq	304(%rsp), %r12
	movq	336(%rsp), %r14
	leaq	240(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 240(%rsp)
	vmovups	%ymm0, 264(%rsp)
	movq	%rax, 160(%rsp)
	vzeroupper
	callq	*%rbx
	testl	%eax, %eax
	jne	.LBB1_22
	cmpq	$8, 264(%rsp)
	jne	.LBB1_22
	movq	272(%rsp), %rax
	movq	192(%rsp), %rdi
	movq	%r14, 144(%rsp)
	movq	240(%rsp), %r14
	leaq	592(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	movq	%rbp, 152(%rsp)
	vmovups	%zmm0, 592(%rsp)
	movq	$0, 656(%rsp)
	movq	%rax, 136(%rsp)
	movq	280(%rsp), %rax
	movq	%rax, 128(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 616(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_26
	testb	%bpl, %bpl
	jne	.LBB1_32
.LBB1_28:
	movq	592(%rsp), %rax
	movq	624(%rsp), %rcx
	movq	184(%rsp), %rdi
	leaq	672(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 672(%rsp)
	movq	$0, 736(%rsp)
	movq	%rax, 40(%rsp)
	movq	632(%rsp), %rax
	movq	%rcx, 120(%rsp)
	movq	%rax, 112(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 696(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_29
	testb	%bpl, %bpl
	jne	.LBB1_31
.LBB1_33:
	movq	672(%rsp), %rax
	movq	176(%rsp), %rdi
	leaq	432(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 432(%rsp)
	movq	$0, 496(%rsp)
	movq	%rax, 32(%rsp)
	movq	704(%rsp), %rax
	movq	%rax, 104(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 456(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_34
	testb	%bpl, %bpl
	jne	.LBB1_39
.LBB1_36:
	movq	168(%rsp), %rdi
	movq	%r13, 96(%rsp)
	movq	%r14, 24(%rsp)
	movq	432(%rsp), %rbp
	movq	464(%rsp), %r14
	movq	472(%rsp), %r13
	movq	480(%rsp), %r15
	leaq	512(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 512(%rsp)
	movq	$0, 576(%rsp)
	vzeroupper
	callq	*%rbx
	testl	%eax, %eax
	jne	.LBB1_38
	cmpq	$8, 536(%rsp)
	jne	.LBB1_38
	movq	%r14, 56(%rsp)
	movq	512(%rsp), %r14
	movq	%r12, 64(%rsp)
	movq	544(%rsp), %r12
	movq	560(%rsp), %rbx
	movabsq	$PyEval_SaveThread, %rax
	movq	%rbp, 80(%rsp)
	movq	%r14, 88(%rsp)
	callq	*%rax
	movq	48(%rsp), %r8
	movq	%rax, 72(%rsp)
	movq	$0, 16(%rsp)
	subq	$448, %rsp
	.cfi_adjust_cfa_offset 448
	movq	552(%rsp), %rdx
	movq	560(%rsp), %rcx
	movq	504(%rsp), %rax
	movq	%r12, 400(%rsp)
	movq	%r13, 336(%rsp)
	movq	%r14, 368(%rsp)
	movq	%rbp, 296(%rsp)
	movq	480(%rsp), %r13
	movq	488(%rsp), %r12
	movq	472(%rsp), %r14
	movq	512(%rsp), %rbp
	leaq	464(%rsp), %rdi
	movq	%r15, 344(%rsp)
	movq	%rbx, 416(%rsp)
	movq	%r8, %r15
	movq	%rdx, 256(%rsp)
	movq	%rcx, 192(%rsp)
	movq	568(%rsp), %rdx
	movq	576(%rsp), %rcx
	movq	%rax, 328(%rsp)
	movabsq	$_ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE, %rax
	movq	%r13, 224(%rsp)
	movq	%r12, 152(%rsp)
	movq	%r14, 96(%rsp)
	movq	%rbp, 40(%rsp)
	movq	%rdx, 184(%rsp)
	movq	%rcx, 136(%rsp)
	movq	584(%rsp), %rdx
	movq	608(%rsp), %rcx
	movq	%rdx, 128(%rsp)
	movq	%rcx, 80(%rsp)
	movq	592(%rsp), %rdx
	movq	544(%rsp), %rcx
	movq	%rdx, 72(%rsp)
	movq	%rcx, 16(%rsp)
	movq	600(%rsp), %rdx
	movq	456(%rsp), %rcx
	callq	*%rax
	addq	$448, %rsp
	.cfi_adjust_cfa_offset -448
	movq	16(%rsp), %rax
	movq	72(%rsp), %rdi
	movq	%rax, 8(%rsp)
	movabsq	$PyEval_RestoreThread, %rax
	callq	*%rax
	movabsq	$NRT_decref, %rbx
	movq	%r15, %rdi
	callq	*%rbx
	movq	%rbp, %rdi
	callq	*%rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	%r12, %rdi
	callq	*%rbx
	movq	%r13, %rdi
	callq	*%rbx
	movq	80(%rsp), %rdi
	callq	*%rbx
	movq	88(%rsp), %rdi
	callq	*%rbx
	movq	8(%rsp), %rdi
	movabsq	$PyLong_FromLongLong, %rax
	callq	*%rax
.LBB1_2:
	addq	$744, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	vzeroupper
	retq
.LBB1_4:
	.cfi_def_cfa_offset 800
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.missing Environment: _ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE", %rsi
	jmp	.LBB1_5
.LBB1_7:
	xorl	%ebp, %ebp
	movabsq	$PyErr_Occurred, %r13
	callq	*%r13
	testq	%rax, %rax
	je	.LBB1_10
	jmp	.LBB1_1
.LBB1_11:
	xorl	%r12d, %r12d
	callq	*%r13
	testq	%rax, %rax
	je	.LBB1_14
	jmp	.LBB1_1
.LBB1_16:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
.LBB1_5:
	movabsq	$PyErr_SetString, %rax
	vzeroupper
	callq	*%rax
	jmp	.LBB1_1
.LBB1_19:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB1_24
.LBB1_22:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB1_23
.LBB1_26:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_28
	jmp	.LBB1_32
.LBB1_29:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_33
	jmp	.LBB1_31
.LBB1_34:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_36
	jmp	.LBB1_39
.LBB1_38:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	movabsq	$NRT_decref, %rax
	movq	%rbp, %rdi
	callq	*%rax
	movq	24(%rsp), %r14
.LBB1_39:
	movq	32(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_31:
	movq	40(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_32:
	movabsq	$NRT_decref, %rax
	movq	%r14, %rdi
	callq	*%rax
.LBB1_23:
	movabsq	$NRT_decref, %rax
	movq	%r12, %rdi
	callq	*%rax
.LBB1_24:
	movq	48(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_1:
	xorl	%eax, %eax
	jmp	.LBB1_2
.Lfunc_end1:
	.size	_ZN7cpython6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE, .Lfunc_end1-_ZN7cpython6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE
	.cfi_endproc

	.globl	cfunc._ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE
	.p2align	4
	.type	cfunc._ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE,@function
cfunc._ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%r15
	.cfi_def_cfa_offset 16
	pushq	%r14
	.cfi_def_cfa_offset 24
	pushq	%r13
	.cfi_def_cfa_offset 32
	pushq	%r12
	.cfi_def_cfa_offset 40
	pushq	%rbx
	.cfi_def_cfa_offset 48
	subq	$448, %rsp
	.cfi_def_cfa_offset 496
	.cfi_offset %rbx, -48
	.cfi_offset %r12, -40
	.cfi_offset %r13, -32
	.cfi_offset %r14, -24
	.cfi_offset %r15, -16
	vmovups	552(%rsp), %xmm0
	vmovaps	608(%rsp), %xmm1
	vmovups	664(%rsp), %xmm2
	vmovups	808(%rsp), %xmm3
	movq	%rdx, %r8
	movq	%rdi, %rdx
	movq	824(%rsp), %r14
	movq	848(%rsp), %r15
	movq	880(%rsp), %r12
	movq	896(%rsp), %r13
	movq	496(%rsp), %rax
	movq	576(%rsp), %rdi
	movq	632(%rsp), %r9
	movq	704(%rsp), %r10
	movq	736(%rsp), %r11
	movq	776(%rsp), %rbx
	movq	%rsi, %rcx
	movq	520(%rsp), %rsi
	movq	$0, 440(%rsp)
	movq	%r13, 416(%rsp)
	movq	%r12, 400(%rsp)
	movq	%r15, 368(%rsp)
	movq	%r14, 344(%rsp)
	vmovups	%xmm3, 328(%rsp)
	movq	%rbx, 296(%rsp)
	movq	%r11, 256(%rsp)
	movq	%r10, 224(%rsp)
	vmovups	%xmm2, 184(%rsp)
	movq	%r9, 152(%rsp)
	vmovups	%xmm1, 128(%rsp)
	movq	%rdi, 96(%rsp)
	vmovups	%xmm0, 72(%rsp)
	movq	%rax, 16(%rsp)
	movabsq	$_ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE, %rax
	leaq	440(%rsp), %rdi
	movq	%rsi, 40(%rsp)
	callq	*%rax
	movq	440(%rsp), %rax
	addq	$448, %rsp
	.cfi_def_cfa_offset 48
	popq	%rbx
	.cfi_def_cfa_offset 40
	popq	%r12
	.cfi_def_cfa_offset 32
	popq	%r13
	.cfi_def_cfa_offset 24
	popq	%r14
	.cfi_def_cfa_offset 16
	popq	%r15
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end2:
	.size	cfunc._ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE, .Lfunc_end2-cfunc._ZN6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE
	.cfi_endproc

	.weak	NRT_incref
	.p2align	4
	.type	NRT_incref,@function
NRT_incref:
	testq	%rdi, %rdi
	je	.LBB3_2
	lock		incq	(%rdi)
.LBB3_2:
	retq
.Lfunc_end3:
	.size	NRT_incref, .Lfunc_end3-NRT_incref

	.weak	NRT_decref
	.p2align	4
	.type	NRT_decref,@function
NRT_decref:
	.cfi_startproc
	testq	%rdi, %rdi
	je	.LBB4_2
	#MEMBARRIER
	lock		decq	(%rdi)
	je	.LBB4_3
.LBB4_2:
	retq
.LBB4_3:
	movabsq	$NRT_MemInfo_call_dtor, %rax
	#MEMBARRIER
	jmpq	*%rax
.Lfunc_end4:
	.size	NRT_decref, .Lfunc_end4-NRT_decref
	.cfi_endproc

	.type	.const.follow_turns,@object
	.section	.lrodata,"al",@progbits
.const.follow_turns:
	.asciz	"follow_turns"
	.size	.const.follow_turns, 13

	.type	_ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE,8,8
	.type	".const.missing Environment: _ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE",@object
	.p2align	4, 0x0
".const.missing Environment: _ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE":
	.asciz	"missing Environment: _ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE"
	.size	".const.missing Environment: _ZN08NumbaEnv6pigevo5exact12turn_kernels12follow_turnsB2v7B40c8tJTIeFIjxB2IKSgI4CrvQClQZ6FcpCShpgEU0AExx5ArrayIhLi1E1C7mutable7alignedE5ArrayIxLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE", 343

	.type	".const.can't unbox array from PyObject into native value.  The object maybe of a different type",@object
	.p2align	4, 0x0
".const.can't unbox array from PyObject into native value.  The object maybe of a different type":
	.asciz	"can't unbox array from PyObject into native value.  The object maybe of a different type"
	.size	".const.can't unbox array from PyObject into native value.  The object maybe of a different type", 89

	.section	".note.GNU-stack","",@progbits
